import { render, screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { prefs } from '../../stores/prefs.svelte'
import { toasts } from '../../stores/toasts.svelte'
import { FakeCore } from '../../testing/fakecore'
import { words } from '../../words/words.svelte'
import Settings from '../Settings.svelte'
import Broken from './Broken.svelte'
import Commands from './Commands.svelte'
import Keep from './Keep.svelte'
import { sections } from './sections'
import Trusted from './Trusted.svelte'

let core: FakeCore
const user = userEvent.setup()

beforeEach(async () => {
  core = new FakeCore()
  core.install()
  await prefs.load()
})
afterEach(() => {
  toasts.list = []
  words.use({}, 'en')
})

describe('what is kept', () => {
  it('says each limit in words and sets the one that is changed', async () => {
    render(Keep)
    expect(screen.getByLabelText('Keep transcripts for')).toHaveDisplayValue('180 days')
    expect(screen.getByLabelText('Keep at most')).toHaveDisplayValue('2 GB')
    await user.selectOptions(screen.getByLabelText('Keep at most'), 'no limit')
    await waitFor(() => expect(core.prefs.keep).toEqual({ days: 180, mib: 0, purge: 1, idle: 10 }))
    await user.selectOptions(screen.getByLabelText('Stop an idle agent after'), '30 minutes')
    await waitFor(() => expect(core.prefs.keep).toEqual({ days: 180, mib: 0, purge: 1, idle: 30 }))
  })

  it('offers a number that was written by hand', async () => {
    core.prefs = { ...core.prefs, keep: { days: 42, mib: 2048, purge: 1, idle: 10 } }
    await prefs.load()
    render(Keep)
    expect(screen.getByLabelText('Keep transcripts for')).toHaveDisplayValue('42 days')
    expect([...screen.getByLabelText<HTMLSelectElement>('Keep transcripts for').options].map((o) => o.text)).toEqual([
      '30 days', '42 days', '90 days', '180 days', '365 days', 'ever',
    ])
  })
})

describe('trust', () => {
  it('is taken back folder by folder, and the last one leaves a word', async () => {
    core.prefs = { ...core.prefs, trusted: ['/a', '/b'] }
    await prefs.load()
    render(Trusted)
    await user.click(screen.getByRole('button', { name: 'Forget /a' }))
    await waitFor(() => expect(core.prefs.trusted).toEqual(['/b']))
    expect(toasts.list[0]!.text).toContain('/a is no longer trusted')
    await user.click(screen.getByRole('button', { name: 'Forget /b' }))
    expect(await screen.findByText(/No folder yet/)).toBeInTheDocument()
  })
})

describe('commands', () => {
  it('are taken back one by one', async () => {
    core.prefs = { ...core.prefs, commands: ['mine --acp', 'other'] }
    await prefs.load()
    render(Commands)
    await user.click(screen.getByRole('button', { name: 'Forget mine --acp' }))
    await waitFor(() => expect(core.prefs.commands).toEqual(['other']))
    await user.click(screen.getByRole('button', { name: 'Forget other' }))
    expect(await screen.findByText(/No command yet/)).toBeInTheDocument()
  })
})

describe('a settings file that is not in order', () => {
  const trouble = { what: { key: 'settings.fault_name', args: { name: 'thema', line: '3' } }, detail: 'json: unknown field "thema"', last: true }
  beforeEach(async () => {
    core.prefs = { ...core.prefs, trouble }
    await prefs.load()
  })

  it('is told with its slip, its line, what holds and what to do', () => {
    render(Broken)
    const told = screen.getByRole('region', { name: 'The settings file is not in order' })
    expect(told).toHaveTextContent('There is no setting called “thema” (line 3). The last good settings hold.')
    expect(told).toHaveTextContent('/home/ana/.local/share/turnwatch/settings.json')
    expect(told).toHaveTextContent('json: unknown field "thema"')
  })

  it('says it where the usual settings hold, and where the file may not be read', async () => {
    core.prefs = { ...core.prefs, trouble: { what: { key: 'settings.fault_unread' }, detail: '', last: false } }
    await prefs.load()
    render(Broken)
    expect(screen.getByRole('region')).toHaveTextContent('It cannot be read. Check its permissions. The usual settings hold. Give yourself the right to read it')
  })

  it('is read again when it was mended, and says so', async () => {
    render(Broken)
    await user.click(screen.getByRole('button', { name: 'Read the settings file again' }))
    expect(screen.getByRole('region')).toBeInTheDocument() // still wrong
    core.prefs = { ...core.prefs, trouble: null, theme: 'dark' }
    await user.click(screen.getByRole('button', { name: 'Read the settings file again' }))
    await waitFor(() => expect(screen.queryByRole('region')).toBeNull())
    expect(document.documentElement.dataset.theme).toBe('dark')
    expect(toasts.list.at(-1)!.text).toContain('in order')
  })

  it('opens the folder', async () => {
    render(Broken)
    await user.click(screen.getByRole('button', { name: 'Open the data folder' }))
    expect(core.asked('Settings.OpenFolder')).toHaveLength(1)
  })
})

describe('the sections', () => {
  it('are all there, and each can be gone to', async () => {
    render(Settings)
    await screen.findByRole('heading', { name: 'About' })
    expect(screen.getAllByRole('heading', { level: 2 }).map((h) => h.id)).toEqual(sections.map((s) => s.id))
    Element.prototype.scrollIntoView = () => undefined
    await user.click(within(screen.getByRole('navigation')).getByRole('button', { name: 'Folders you trust' }))
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Folders you trust' }))
  })
})
