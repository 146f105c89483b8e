#!/bin/sh
# Makes Turnwatch.app, and on a Mac the disk image, from what the package task has
# built. NEVER RUN ON A MAC YET: only the layout is checked, on Linux.
#
#   bundle.sh BUILT FOLDER      makes FOLDER/Turnwatch.app; on a Mac also signs it
#                               and makes FOLDER/turnwatch-VERSION.dmg
#   bundle.sh --layout BUILT FOLDER      the layout alone, on any system
#
# BUILT holds turnwatch, tw, turnwatch.icns, Info.plist, turnwatch.entitlements,
# LICENSE.txt, NOTICES.txt, licences.json and sbom.cdx.json.
#
# Signing and notarising are skipped, and that is said, without:
#   TURNWATCH_SIGN_MACOS     name of a "Developer ID Application" identity
#   TURNWATCH_NOTARY         a keychain profile made by: xcrun notarytool store-credentials
set -eu

layout_only=no
if [ "${1:-}" = --layout ]; then
  layout_only=yes
  shift
fi
if [ $# -ne 2 ]; then
  echo "usage: bundle.sh [--layout] BUILT FOLDER" >&2
  exit 2
fi
built=$1
app=$2/Turnwatch.app

rm -rf "$app"
mkdir -p "$app/Contents/MacOS" "$app/Contents/Resources"
cp "$built/Info.plist" "$app/Contents/Info.plist"
printf 'APPL????' > "$app/Contents/PkgInfo"
for program in turnwatch tw; do
  cp "$built/$program" "$app/Contents/MacOS/$program"
  chmod 755 "$app/Contents/MacOS/$program"
done
for file in turnwatch.icns LICENSE.txt NOTICES.txt licences.json sbom.cdx.json; do
  cp "$built/$file" "$app/Contents/Resources/$file"
  chmod 644 "$app/Contents/Resources/$file"
done
[ $layout_only = no ] || exit 0

if [ "$(uname -s)" != Darwin ]; then
  echo "bundle.sh: this part needs a Mac; --layout makes the layout anywhere" >&2
  exit 2
fi
plutil -lint "$app/Contents/Info.plist" "$built/turnwatch.entitlements"
version=$(plutil -extract CFBundleShortVersionString raw "$app/Contents/Info.plist")
image=$2/turnwatch-$version.dmg

if [ -n "${TURNWATCH_SIGN_MACOS:-}" ]; then
  # From the inside to the outside.
  for target in "$app/Contents/MacOS/tw" "$app"; do
    codesign --force --timestamp --options runtime --entitlements "$built/turnwatch.entitlements" \
      --sign "$TURNWATCH_SIGN_MACOS" "$target"
  done
  codesign --verify --strict --verbose=2 "$app"
else
  echo "signing skipped: TURNWATCH_SIGN_MACOS is not set; notifications need a signed app"
fi

hdiutil create -volname Turnwatch -srcfolder "$app" -ov -format UDZO "$image"
if [ -n "${TURNWATCH_SIGN_MACOS:-}" ] && [ -n "${TURNWATCH_NOTARY:-}" ]; then
  xcrun notarytool submit "$image" --keychain-profile "$TURNWATCH_NOTARY" --wait
  xcrun stapler staple "$image"
else
  echo "notarising skipped: TURNWATCH_SIGN_MACOS or TURNWATCH_NOTARY is not set"
fi
echo "made $image"
