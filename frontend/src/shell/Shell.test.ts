import * as place from '../stores/place'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listenToKeys } from '../keys/listen'
import { app } from '../stores/app.svelte'
import { layers } from '../stores/layers.svelte'
import { prefs } from '../stores/prefs.svelte'
import { toasts } from '../stores/toasts.svelte'
import { FakeCore, refuse } from '../testing/fakecore'
import * as make from '../testing/make'
import { words } from '../words/words.svelte'
import Shell from './Shell.svelte'

let core: FakeCore
let off: () => void
const user = userEvent.setup()

async function start(fill: (core: FakeCore) => void = () => undefined): Promise<void> {
  core = new FakeCore()
  fill(core)
  core.install()
  render(Shell)
  await app.start()
}
const busy = (c: FakeCore): void => {
  c.add(make.session(), [make.part(1, { kind: 'prompt', text: 'hello' }), make.part(2, { text: 'answer' })])
  c.add(make.session({ row: make.row({ task: 't2', session: 's2', title: 'Second', state: 'running', phase: 'working', started: make.now }), turn: { generation: 1, started: make.now, first: 0, ended: 0, outcome: '', stop: '', cancel: [] } }), [make.part(1, { text: 'other' })])
}

beforeEach(() => {
  place.reset()
  off = listenToKeys()
})
afterEach(() => {
  off()
  app.stop()
  app.open.leave()
  app.screen = 'tasks'
  app.starting = false
  app.archived = false
  app.loaded = false
  app.error = null
  app.health = null
  layers.sheet = ''
  toasts.list = []
  words.use({}, 'en')
})

describe('the first start', () => {
  it('lists the agents that are there, folds the others, and takes the first that is ready', async () => {
    await start()
    await screen.findByText('Which agent should work?')
    expect(screen.getAllByRole('radio').map((r) => (r as HTMLInputElement).value)).toEqual(['opencode', 'demo', '\u0000other'])
    expect(screen.getByRole('radio', { name: /OpenCode/ })).toBeChecked()
    expect(screen.getByText('opencode acp --print-logs --log-level ERROR')).toBeInTheDocument()
    expect(screen.getByText(/Install it with: npm install/).closest('details')).not.toHaveAttribute('open')
  })

  it('asks for trust in plain words before anything starts', async () => {
    await start()
    await user.click(await screen.findByRole('button', { name: /Choose folder/ }))
    await user.type(screen.getByLabelText('What should it do?'), 'Say hello')
    await user.keyboard('{Control>}{Enter}{/Control}')
    const sheet = await screen.findByRole('dialog')
    expect(sheet).toHaveTextContent('OpenCode can read everything in this folder')
    expect(core.asked('Tasks.New')).toEqual([])
    await user.click(within(sheet).getByRole('button', { name: 'Trust the folder and start' }))
    await screen.findByRole('textbox', { name: 'Message OpenCode' })
    expect(core.asked('Tasks.Trust')).toEqual([['/home/ana/src/billing-service']])
    expect(core.asked('Tasks.New')).toEqual([[{ dir: '/home/ana/src/billing-service', agent: 'opencode', command: '', title: '', options: {}, draft: { text: 'Say hello', files: [], blobs: [] } }]])
  })

  it('starts nothing when trust is refused', async () => {
    await start()
    await user.click(await screen.findByRole('button', { name: /Choose folder/ }))
    await user.type(screen.getByLabelText('What should it do?'), 'x')
    await user.click(screen.getByRole('button', { name: /^Start/ }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    expect([core.asked('Tasks.Trust'), core.asked('Tasks.New')]).toEqual([[], []])
  })

  it('warns where another task runs in the folder, trusted or not', async () => {
    await start((c) => (c.folder = { trusted: true, git: true, others: ['Port date pickers'] }))
    await user.click(await screen.findByRole('button', { name: /Choose folder/ }))
    expect(await screen.findByText(/Port date pickers.*overwrite/)).toBeInTheDocument()
    await user.type(screen.getByLabelText('What should it do?'), 'x')
    await user.click(screen.getByRole('button', { name: /^Start/ }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Start all the same' }))
    await waitFor(() => expect(core.asked('Tasks.New')).toHaveLength(1))
    expect(core.asked('Tasks.Trust')).toEqual([])
  })

  it('takes any other command', async () => {
    await start((c) => (c.folder = { trusted: true, git: true, others: [] }))
    await user.click(await screen.findByRole('radio', { name: /Other agent/ }))
    await user.type(screen.getByLabelText('Command line of the agent'), 'my-agent --acp')
    await user.click(screen.getByRole('button', { name: /Choose folder/ }))
    await user.type(screen.getByLabelText('What should it do?'), 'x')
    await user.click(screen.getByRole('button', { name: /^Start/ }))
    await waitFor(() => expect(core.asked('Tasks.New')[0]).toEqual([expect.objectContaining({ agent: '', command: 'my-agent --acp' })]))
  })

  it('says what is wrong with the folder', async () => {
    await start()
    await user.type(await screen.findByLabelText('Folder to work in'), 'nowhere')
    await user.type(screen.getByLabelText('What should it do?'), 'x')
    await user.click(screen.getByRole('button', { name: /^Start/ }))
    expect(await screen.findByText('The folder to work in is not there.')).toBeInTheDocument()
    expect(core.asked('Tasks.New')).toEqual([])
  })
})

describe('the list', () => {
  it('opens a task and shows its transcript', async () => {
    await start(busy)
    await user.click(await screen.findByRole('button', { name: /Move billing/ }))
    expect(await screen.findByText('answer')).toBeInTheDocument()
    expect(screen.getByRole('heading', { level: 1, name: 'Move billing to usage records' })).toBeInTheDocument()
  })

  it('is walked by J and K, and N begins a task', async () => {
    await start(busy)
    await screen.findByText('Second')
    await user.keyboard('j')
    expect(await screen.findByText('other')).toBeInTheDocument()
    await user.keyboard('j')
    expect(await screen.findByText('answer')).toBeInTheDocument()
    await user.keyboard('n')
    expect(await screen.findByRole('heading', { name: 'New task' })).toBeInTheDocument()
    await user.keyboard('jjj')
    expect(screen.getByLabelText('What should it do?')).toHaveValue('jjj')
  })

  it('deletes with an undo', async () => {
    await start(busy)
    await user.click(await screen.findByRole('button', { name: /Move billing/ }))
    await screen.findByText('answer')
    await user.click(screen.getByRole('button', { name: 'More for this task' }))
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
    const toast = await screen.findByText('Deleted: Move billing to usage records')
    expect(toast).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByRole('button', { name: /Move billing/ })).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByRole('button', { name: /Move billing/ })).toBeInTheDocument()
    expect(core.asked('Tasks.Undelete')).toEqual([['t1']])
  })

  it('renames', async () => {
    await start(busy)
    await user.click(await screen.findByRole('button', { name: /Move billing/ }))
    await screen.findByText('answer')
    await user.keyboard('r')
    const box = await screen.findByLabelText('Title of the task')
    await user.clear(box)
    await user.type(box, 'Bills{Enter}')
    expect(await screen.findByRole('heading', { level: 1, name: 'Bills' })).toBeInTheDocument()
  })

  it('shows a thousand tasks without drawing them all', async () => {
    await start((c) => {
      for (let i = 0; i < 1000; i++) c.add(make.session({ row: make.row({ task: `m${i}`, session: `s${i}`, title: `Task ${i}` }) }))
    })
    await screen.findByText('1000')
    expect(document.querySelectorAll('button.row').length).toBeLessThan(60)
  })

  it('says that nothing is archived, and comes back', async () => {
    await start(busy)
    await user.click(await screen.findByRole('button', { name: 'Show archived' }))
    expect(await screen.findByText('Nothing is archived.')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Back to all tasks' }))
    expect(await screen.findByText('Second')).toBeInTheDocument()
  })
})

describe('the turn', () => {
  it('is cancelled by Ctrl+. and never by Esc', async () => {
    await start(busy)
    await user.click(await screen.findByRole('button', { name: /Second/ }))
    await screen.findByText('other')
    await user.keyboard('{Escape}{Escape}')
    expect(core.asked('Tasks.Cancel')).toEqual([])
    await user.keyboard('{Control>}.{/Control}')
    expect(core.asked('Tasks.Cancel')).toEqual([['s2']])
  })

  it('says how its state is known', async () => {
    await start(busy)
    await user.click(await screen.findByRole('button', { name: /Second/ }))
    await user.click(await screen.findByTitle('How it is known'))
    expect(screen.getByRole('dialog')).toHaveTextContent('Prompt sent')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('trouble', () => {
  it('is a banner while the history cannot be written', async () => {
    await start((c) => {
      busy(c)
      c.trouble = { key: 'hint.history_disk_full', args: { dir: '/data' } }
    })
    expect(await screen.findByText(/The disk that holds the data folder \/data is full/)).toBeInTheDocument()
  })

  it('says why the history cannot be opened, and tries again', async () => {
    await start((c) =>
      c.otherwise.set('Tasks.List', () => {
        throw refuse('hint.history_too_new', { dir: '/data', have: '9', know: '3' })
      }),
    )
    expect(await screen.findByText(/written by a newer Turnwatch \(version 9/)).toBeInTheDocument()
    core.otherwise.clear()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Which agent should work?')).toBeInTheDocument()
  })

  it('folds the text of an error that it does not know', async () => {
    await start(busy)
    core.otherwise.set('Tasks.Open', () => {
      throw new Error('panic: <img src=x onerror=1>')
    })
    await user.click(await screen.findByRole('button', { name: /Second/ }))
    expect(await screen.findByText('This could not be done.')).toBeInTheDocument()
    expect(screen.getByText('panic: <img src=x onerror=1>').closest('details')).not.toHaveAttribute('open')
    expect(document.querySelector('img')).toBeNull()
  })
})

describe('palette and settings', () => {
  it('finds tasks and actions by a few letters', async () => {
    await start(busy)
    await screen.findByText('Second')
    await user.keyboard('{Control>}k{/Control}')
    await user.keyboard('sec')
    expect(screen.getAllByRole('option')[0]).toHaveTextContent('Second')
    await user.keyboard('{Enter}')
    expect(await screen.findByText('other')).toBeInTheDocument()
    expect(layers.sheet).toBe('')
  })

  it('changes theme and language at once', async () => {
    await start((c) => {
      busy(c)
      c.words = { 'ui.settings.title': 'Einstellungen' }
    })
    await prefs.load()
    await user.keyboard('{Control>},{/Control}')
    expect(await screen.findByRole('heading', { level: 1, name: 'Einstellungen' })).toBeInTheDocument()
    await user.click(screen.getByRole('radio', { name: 'Dark' }))
    await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'))
    core.words = {}
    await fireEvent.change(screen.getByLabelText('Language'), { target: { value: 'en' } })
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeInTheDocument()
    expect(core.asked('Settings.Set').at(-1)).toEqual([expect.objectContaining({ language: 'en', theme: 'dark' })])
  })

  it('shows turns with filters, and one of them', async () => {
    await start((c) => {
      busy(c)
      c.history = [make.past(), make.past({ session: 's2', task: 't2', title: 'Second', agent: 'codex', outcome: 'failed', code: 'quota_limited' })]
    })
    await user.keyboard('{Alt>}h{/Alt}')
    await user.click(await screen.findByRole('button', { name: /Second/ }))
    expect(await screen.findByText('other')).toBeInTheDocument()
    expect(screen.getByText('The usage limit is reached.')).toBeInTheDocument()
    await user.selectOptions(screen.getByLabelText('Outcome'), 'completed')
    await waitFor(() => expect(screen.getAllByRole('listitem').filter((l) => l.querySelector('.past'))).toHaveLength(1))
    await user.type(screen.getByLabelText('Search all turns'), 'nothing like it')
    expect(await screen.findByText('Nothing found')).toBeInTheDocument()
  })
})
