/** How our statements tell the client below `@effect/sql-pg` how they are to be sent. */
import type { SendMode, StatementMode } from "@trailbook/sql/reservedConnection"
import { createHash } from "node:crypto"

/** How one of our statements is sent. */
export interface SendPlan {
  readonly how: StatementMode
  readonly text: string
  /** Under which it stays prepared, where that is done; `""` if it comes once. */
  readonly name: string
}

const marked: Readonly<Record<StatementMode, Map<string, string>>> = {
  now: new Map(),
  later: new Map(),
  opens: new Map(),
  control: new Map(),
  foreign: new Map()
}

const plans = new Map<string, SendPlan>()

/**
 * Statements of ours say in a comment how they are to be sent. It does not reach the
 * database.
 */
export const withHints: SendMode = {
  text: (text, how) => {
    const found = marked[how].get(text)
    if (found !== undefined) return found
    const made = `${mark}${how} */ ${text}`
    // What the program says may never come again.
    if (how === "foreign") return made
    const name = how === "control" ? "" : `trailbook_${createHash("sha256").update(text).digest("hex").slice(0, 40)}`
    marked[how].set(text, made)
    plans.set(made, { how, text, name })
    return made
  },
  values: (_, values) => values
}

const mark = "/* trailbook: "
const foreign = `${mark}foreign */ `

/** How a text is sent that one of ours was made into; nothing of what is not ours. */
export const findPlan = (text: string): SendPlan | undefined =>
  plans.get(text) ??
    (text.startsWith(foreign) ? { how: "foreign", text: text.slice(foreign.length), name: "" } : undefined)
