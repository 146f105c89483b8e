// Starts the page: guards first, then what it knows, then what it shows.

import { mount } from 'svelte'
import { listenToKeys } from './keys/listen'
import { guard } from './shell/guard'
import Shell from './shell/Shell.svelte'
import { app } from './stores/app.svelte'
import { prefs } from './stores/prefs.svelte'
import './styles/index.css'

guard()
listenToKeys()
prefs.paint()
mount(Shell, { target: document.getElementById('app')! })
void app.start()
// Without them the page speaks English in the system's theme; the list says what is wrong.
void prefs.load().catch(() => undefined)
