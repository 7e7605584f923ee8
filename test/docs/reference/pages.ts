import { cliPage } from "./cli.ts"
import { errorsPage } from "./errors.ts"
import { eventsPage } from "./events.ts"
import { operationsPage } from "./operations.ts"

/** Functions that generate the reference pages, by path relative to the root. */
export const pages: Readonly<Record<string, () => string>> = {
  "docs/reference/operations.md": operationsPage,
  "docs/reference/events.md": eventsPage,
  "docs/reference/errors.md": errorsPage,
  "docs/reference/cli.md": cliPage
}
