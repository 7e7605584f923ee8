import { cliPage } from "./cli.ts"
import { errorsPage } from "./errors.ts"
import { eventsPage } from "./events.ts"
import { operationsPage } from "./operations.ts"

/** The pages generated from the code, by path relative to the root. */
export const pages: Readonly<Record<string, () => string>> = {
  "docs/reference/operations.md": operationsPage,
  "docs/reference/events.md": eventsPage,
  "docs/reference/errors.md": errorsPage,
  "docs/reference/cli.md": cliPage
}
