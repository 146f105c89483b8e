import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeCore } from '../../testing/fakecore'
import Works from './Works.svelte'

let core: FakeCore
const user = userEvent.setup()

beforeEach(() => {
  core = new FakeCore()
  core.install()
})

async function open(): Promise<void> {
  render(Works)
  await user.click(screen.getByText('Works by others that are inside'))
  // jsdom opens the element, and tells nobody.
  document.querySelector('details')!.dispatchEvent(new Event('toggle'))
}

describe('works by others', () => {
  it('shows each with its licence, and the texts of one at a time', async () => {
    core.works = [
      { name: 'svelte', version: '5.57.3', licence: 'MIT', text: 'The text of svelte' },
      { name: 'example.org/b', version: 'v1.0.0', licence: 'ISC', text: 'The text of b' },
    ]
    await open()
    const first = await screen.findByRole('button', { name: 'svelte 5.57.3 MIT' })
    expect(first).toHaveAttribute('aria-expanded', 'false')
    await user.click(first)
    expect(await screen.findByText('The text of svelte')).toBeVisible()
    expect(first).toHaveAttribute('aria-expanded', 'true')
    await user.click(screen.getByRole('button', { name: 'example.org/b v1.0.0 ISC' }))
    expect(await screen.findByText('The text of b')).toBeVisible()
    expect(screen.queryByText('The text of svelte')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'example.org/b v1.0.0 ISC' }))
    expect(screen.queryByText('The text of b')).toBeNull()
  })

  it('says so where there is no list', async () => {
    await open()
    expect(await screen.findByText('This Turnwatch was built from its sources. Only packages have the list.')).toBeVisible()
  })

  it('says what is wrong with a list that cannot be read', async () => {
    Object.defineProperty(core, 'works', { get: () => { throw Object.assign(new Error('x'), { key: 'error.notices' }) } })
    await open()
    expect(await screen.findByRole('alert')).toBeVisible()
  })
})
