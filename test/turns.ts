/**
 * Yields to the event loop after each test. Tests that never wait would block the event loop for as long as their file
 * runs, and vitest fails the run if a response to its worker is not processed within a minute.
 */
import { setImmediate as turn } from "node:timers/promises"
import { afterEach } from "vitest"

afterEach(() => turn())
