// What is pictured: a scene, a task, and what is done before.

export const sizes = { wide: [1240, 800], narrow: [390, 844], least: [360, 740], huge: [3840, 2160] }
const both = ['light', 'dark']
// The start of a transcript, as a reader gets there.
const top = async (page) => {
  await page.locator('.frame .scroll').focus()
  await page.keyboard.press('Home')
}
const all = ['wide', 'narrow', 'least']

export const shots = [
  { name: 'first', scene: 'first', sizes: all, themes: both },
  { name: 'looking', scene: 'looking' },
  { name: 'list', scene: 'busy', sizes: all, themes: both },
  { name: 'task', task: 't1', sizes: [...all, 'huge'], themes: both },
  { name: 'task-top', task: 't1', act: top },
  { name: 'permission', task: 't2', sizes: all, themes: both },
  { name: 'quiet', task: 't3' },
  { name: 'vitals', task: 't3', sizes: all, themes: both, act: (p) => p.getByRole('button', { name: 'Details' }).click() },
  { name: 'panel', task: 't3', themes: both, act: (p) => p.getByTitle('How it is known').click() },
  {
    name: 'beside',
    task: 't3',
    sizes: ['wide'],
    themes: both,
    act: async (p) => {
      await p.getByTitle('How it is known').click()
      await p.getByRole('button', { name: 'Keep it beside the transcript' }).click()
    },
  },
  { name: 'queue', task: 't4', themes: both },
  { name: 'longword', task: 't7', sizes: all },
  { name: 'arabic', task: 't8' },
  { name: 'rtl', task: 't1', dir: 'rtl' },
  { name: 'odd', scene: 'odd', task: 't1' },
  { name: 'many', scene: 'many' },
  { name: 'long', scene: 'long', task: 't1' },
  { name: 'hostile', scene: 'hostile', task: 't1' },
  { name: 'huge-message', scene: 'huge', task: 't1' },
  { name: 'broken', scene: 'broken' },
  { name: 'unreachable', scene: 'unreachable' },
  { name: 'new', task: '', act: (p) => p.keyboard.press('n') },
  {
    name: 'trust',
    scene: 'first',
    sizes: all,
    act: async (p) => {
      await p.getByLabel('Folder to work in').fill('/home/ana/src/billing-service')
      await p.getByLabel('What should it do?').fill('Say hello')
      await p.keyboard.press('Control+Enter')
      await p.getByRole('dialog').waitFor()
    },
  },
  { name: 'palette', task: 't4', themes: both, act: (p) => p.keyboard.press('Control+k') },
  { name: 'shortcuts', task: 't4', act: (p) => p.keyboard.press('?') },
  { name: 'evidence', task: 't4', act: (p) => p.getByTitle('How it is known').click() },
  { name: 'menu', task: 't4', act: (p) => p.getByLabel('More for this task').click() },
  { name: 'model', task: 't1', act: (p) => p.getByTitle('Model', { exact: true }).click() },
  { name: 'mode', task: 't1', act: (p) => p.getByTitle('Mode', { exact: true }).click() },
  { name: 'slash', task: 't1', act: (p) => p.getByRole('textbox', { name: /Message/ }).pressSequentially('/') },
  { name: 'files', task: 't1', act: (p) => p.getByRole('textbox', { name: /Message/ }).pressSequentially('look at @bill') },
  { name: 'changes', task: 't1', act: (p) => p.keyboard.press('d') },
  { name: 'find', task: 't1', act: async (p) => (await p.keyboard.press('Control+f'), await p.keyboard.type('schema'), await p.waitForTimeout(400)) },
  { name: 'rename', task: 't1', act: (p) => p.keyboard.press('r') },
  {
    name: 'link',
    task: 't1',
    act: async (p) => {
      await top(p)
      await p.locator('[data-address]').first().click()
    },
  },
  {
    name: 'card',
    task: 't1',
    sizes: all,
    themes: both,
    act: async (p) => {
      for (const summary of await p.locator('section.card summary').all()) await summary.click()
    },
  },
  { name: 'failed', sizes: all, themes: both, act: (p) => p.getByRole('button', { name: 'What went wrong' }).click() },
  { name: 'auto-soon', scene: 'auto', task: 't1', sizes: all, themes: both },
  { name: 'auto-pick', scene: 'auto', task: 't1', sizes: all, themes: both, act: (p) => p.getByRole('button', { name: /^Auto-resume: / }).click() },
  { name: 'auto-would', scene: 'auto', task: 't5', themes: both },
  { name: 'auto-gave-up', scene: 'auto', task: 't6', themes: both },
  {
    name: 'auto-stopped',
    scene: 'auto',
    task: 't1',
    themes: both,
    act: async (p) => {
      await p.keyboard.press('Control+Shift+Period')
      if (p.viewportSize().width < 640) await p.getByRole('button', { name: 'Back' }).click()
      await p.getByRole('button', { name: 'Allow again' }).waitFor()
    },
  },
  {
    name: 'auto-ledger',
    scene: 'auto',
    sizes: all,
    themes: both,
    act: async (p) => {
      await p.keyboard.press('Control+k')
      await p.keyboard.type('auto-resume did in all')
      await p.keyboard.press('Enter')
      await p.getByRole('dialog').getByText('Gave up').or(p.getByText('given up')).first().waitFor()
    },
  },
  {
    name: 'auto-settings',
    scene: 'auto',
    sizes: all,
    themes: both,
    act: async (p) => {
      await p.keyboard.press('Control+,')
      for (const name of ['What it looks for', 'Numbers', 'What it writes', 'Take over a configuration']) await p.locator('summary', { hasText: name }).click()
      await p.getByRole('textbox', { name: 'Configuration as JSON' }).fill('{ "maxRetrys": 2 }')
      await p.getByRole('heading', { name: 'Auto-resume' }).evaluate((e) => e.scrollIntoView())
    },
  },
  { name: 'undo', task: 't5', act: (p) => p.keyboard.press('e') },
  { name: 'history', act: (p) => p.keyboard.press('Alt+h'), sizes: all, themes: both },
  {
    name: 'history-turn',
    act: async (p) => {
      await p.keyboard.press('Alt+h')
      await p.locator('.past').first().click()
    },
  },
  { name: 'settings', act: (p) => p.keyboard.press('Control+,'), sizes: all, themes: both },
  {
    name: 'settings-works',
    themes: both,
    act: async (p) => {
      await p.keyboard.press('Control+,')
      await p.getByText('Works by others that are inside').click()
      await p.getByRole('button', { name: /^svelte / }).click()
      await p.locator('main pre').scrollIntoViewIfNeeded()
    },
  },
]
