/* What Go's programs ask of Windows for random numbers and old releases of Wine do
 * not have. For the check of the installer only; it is in no package. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{
    return RtlGenRandom(data, (ULONG)size);
}
