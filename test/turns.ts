/**
 * After each test the process hears what has come in. Tests that never wait for anything would keep it from that for as long
 * as their file lasts, and vitest counts an answer of its own that is not heard within a minute as an error of the run.
 */
import { setImmediate as turn } from "node:timers/promises"
import { afterEach } from "vitest"

afterEach(() => turn())
