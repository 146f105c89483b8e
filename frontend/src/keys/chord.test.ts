import { expect, it } from 'vitest'
import { chordOf } from './chord'

const press = (key: string, code: string, over: KeyboardEventInit = {}) => chordOf(new KeyboardEvent('keydown', { key, code, ctrlKey: true, ...over }))

// What stops all automation must be found on every keyboard.
it.each([
  ['a keyboard of the United States', '>', 'Period', true, 'mod+shift+.'],
  ['a German keyboard', ':', 'Period', true, 'mod+shift+.'],
  ['a Dvorak keyboard', '>', 'KeyE', true, 'mod+shift+.'],
  ['without Shift', '.', 'Period', false, 'mod+.'],
  ['another key', ':', 'Semicolon', true, 'mod+:'],
])('names the full stop on %s', (_name, key, code, shiftKey, chord) => expect(press(key, code, { shiftKey })).toBe(chord))

it('leaves the sign alone where Ctrl is not held', () => expect(press('>', 'Period', { ctrlKey: false, shiftKey: true })).toBe('>'))
