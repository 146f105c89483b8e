// How the actions are grouped where they are listed. Each is in one group.

export interface Group { id: string; name: string; actions: string[] }

export const groups: Group[] = [
  {
    id: 'go',
    name: 'ui.keys.go',
    actions: ['palette', 'new', 'tasks', 'next', 'previous', 'filter', 'back', 'failed', 'archived', 'unarchived', 'history', 'search', 'settings', 'close'],
  },
  { id: 'start', name: 'ui.start.title', actions: ['pick', 'start', 'agents'] },
  {
    id: 'turn',
    name: 'ui.keys.turn',
    actions: ['write', 'send', 'attach', 'model', 'connect', 'release', 'answer', 'cancel', 'retry', 'restart', 'fresh'],
  },
  {
    id: 'read',
    name: 'ui.keys.read',
    actions: ['find', 'earlier', 'end', 'changes', 'evidence', 'beside', 'details', 'copy_prompt', 'copy_answer', 'copy_turn'],
  },
  { id: 'task', name: 'ui.keys.task', actions: ['rename', 'open_folder', 'copy_folder', 'copy_link', 'archive', 'delete', 'undo'] },
  { id: 'auto', name: 'ui.auto.title', actions: ['stop_auto', 'allow_auto', 'ledger', 'ledger_all'] },
  { id: 'look', name: 'ui.settings.look', actions: ['light', 'dark', 'system'] },
  {
    id: 'app',
    name: 'ui.nav',
    actions: ['check', 'shortcuts', 'about', 'open_data', 'copy_data', 'copy_settings', 'read_settings', 'reload', 'quit'],
  },
]
