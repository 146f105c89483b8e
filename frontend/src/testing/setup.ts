// What jsdom lacks and the page needs. Sizes are all 0 there: a list then takes
// 800 px for what is in sight.

import '@testing-library/jest-dom/vitest'
import { vi } from 'vitest'

class NoResize {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
vi.stubGlobal('ResizeObserver', NoResize)
Element.prototype.scrollIntoView ??= () => undefined
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.setAttribute('open', '')
}
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.removeAttribute('open')
}
globalThis.CSS ??= {} as typeof CSS
