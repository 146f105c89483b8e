; The Windows installer: for the current user, without an administrator.
; /S installs silently, /D=FOLDER (last, unquoted) chooses the folder.
; The package task gives VERSION, VERSION4, STAGE (folder of the files), SIZE
; (of them, in KiB) and OUT.
Target amd64-unicode
ManifestSupportedOS Win10
ManifestDPIAware true
RequestExecutionLevel user
SetCompressor /SOLID lzma
SetDateSave off
CRCCheck force

!include MUI2.nsh
!include FileFunc.nsh

Name "Turnwatch"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Turnwatch"
InstallDirRegKey HKCU "Software\Turnwatch" "Folder"
BrandingText "Turnwatch ${VERSION}"

VIProductVersion "${VERSION4}"
VIAddVersionKey ProductName "Turnwatch"
VIAddVersionKey FileDescription "Turnwatch installer"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey CompanyName "The Turnwatch developers"
VIAddVersionKey LegalCopyright "Apache-2.0"

!define MUI_ICON "${STAGE}\turnwatch.ico"
!define MUI_UNICON "${STAGE}\turnwatch.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\turnwatch.exe"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Turnwatch"
!define SCHEME "Software\Classes\turnwatch"
; Microsoft's id of the WebView2 runtime, and where to get it.
!define WEBVIEW "{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"
!define WEBVIEW_PAGE "https://developer.microsoft.com/microsoft-edge/webview2/"

!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_LICENSE "${STAGE}\LICENSE.txt"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "Spanish"
!insertmacro MUI_LANGUAGE "French"
!insertmacro MUI_LANGUAGE "PortugueseBR"
!insertmacro MUI_LANGUAGE "Japanese"
!insertmacro MUI_LANGUAGE "SimpChinese"
!insertmacro MUI_LANGUAGE "Arabic"

; The window needs WebView2, which Windows 11 has; tw does without.
Function checkWebView
  SetRegView 64
  ReadRegStr $0 HKLM "SOFTWARE\WOW6432Node\Microsoft\EdgeUpdate\Clients\${WEBVIEW}" "pv"
  StrCmp $0 "" 0 known
  ReadRegStr $0 HKCU "Software\Microsoft\EdgeUpdate\Clients\${WEBVIEW}" "pv"
known:
  StrCmp $0 "" missing
  StrCmp $0 "0.0.0.0" missing
  DetailPrint "WebView2 $0"
  Return
missing:
  DetailPrint "WebView2 is not installed: the window needs it. Get it from ${WEBVIEW_PAGE}"
  MessageBox MB_YESNO|MB_ICONINFORMATION "The window of Turnwatch needs Microsoft's WebView2, which is not on this computer.$\r$\n$\r$\nOpen the page where it can be downloaded?" /SD IDNO IDNO done
  ExecShell "open" "${WEBVIEW_PAGE}"
done:
FunctionEnd

; A program that runs cannot be replaced. Nothing is ended by force: a turn may
; be running.
!macro refuseWhileRunning
again:
  ClearErrors
  IfFileExists "$INSTDIR\turnwatch.exe" 0 free
  FileOpen $0 "$INSTDIR\turnwatch.exe" a
  IfErrors busy
  FileClose $0
  Goto free
busy:
  MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "Turnwatch is open. Close it, then retry." /SD IDCANCEL IDRETRY again
  SetErrorLevel 5
  Quit
free:
!macroend

Section
  !insertmacro refuseWhileRunning
  SetShellVarContext current
  SetOutPath "$INSTDIR"
  File "${STAGE}\turnwatch.exe"
  File "${STAGE}\tw.exe"
  File "${STAGE}\turnwatch.ico"
  File "${STAGE}\licences.json"
  File "${STAGE}\LICENSE.txt"
  File "${STAGE}\NOTICES.txt"
  File "${STAGE}\sbom.cdx.json"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Turnwatch.lnk" "$INSTDIR\turnwatch.exe"

  WriteRegStr HKCU "Software\Turnwatch" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${SCHEME}" "" "URL:Turnwatch"
  WriteRegStr HKCU "${SCHEME}" "URL Protocol" ""
  WriteRegStr HKCU "${SCHEME}\DefaultIcon" "" "$INSTDIR\turnwatch.ico"
  WriteRegStr HKCU "${SCHEME}\shell\open\command" "" '"$INSTDIR\turnwatch.exe" "%1"'

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Turnwatch"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\turnwatch.ico"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Turnwatch developers"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${SIZE}
  Call checkWebView
SectionEnd

; Takes away what was installed, by name; a folder that holds anything else, and
; all data of the user, stay.
Section Uninstall
  !insertmacro refuseWhileRunning
  SetShellVarContext current
  Delete "$SMPROGRAMS\Turnwatch.lnk"
  Delete "$INSTDIR\turnwatch.exe"
  Delete "$INSTDIR\tw.exe"
  Delete "$INSTDIR\turnwatch.ico"
  Delete "$INSTDIR\licences.json"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\NOTICES.txt"
  Delete "$INSTDIR\sbom.cdx.json"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "${SCHEME}"
  DeleteRegKey HKCU "Software\Turnwatch"
SectionEnd
