/** Passes hints through `@effect/sql-pg` to the client. A hint decides how a statement is sent. */
import type { SendMode, StatementMode } from "@trailbook/sql/reservedConnection"
import { createHash } from "node:crypto"

/** How a statement is sent. */
export interface SendPlan {
  readonly how: StatementMode
  readonly text: string
  /** The name of the prepared statement, or `""` if it is not prepared. */
  readonly name: string
}

const markedTexts: Readonly<Record<StatementMode, Map<string, string>>> = {
  now: new Map(),
  later: new Map(),
  opens: new Map(),
  control: new Map(),
  foreign: new Map()
}

const plans = new Map<string, SendPlan>()

/**
 * Marks our statements with a comment that tells the client how to send them. The client removes the comment before it
 * sends a statement.
 */
export const hintedSendMode: SendMode = {
  text: (text, how) => {
    const existing = markedTexts[how].get(text)
    if (existing !== undefined) return existing
    const markedText = `${mark}${how} */ ${text}`
    // Do not cache the text, because a statement from the host application might not recur.
    if (how === "foreign") return markedText
    const name = how === "control" ? "" : `trailbook_${createHash("sha256").update(text).digest("hex").slice(0, 40)}`
    markedTexts[how].set(text, markedText)
    plans.set(markedText, { how, text, name })
    return markedText
  },
  values: (_, values) => values
}

const mark = "/* trailbook: "
const foreign = `${mark}foreign */ `

/** Returns how to send a marked text, or undefined if the text has no mark. */
export const findSendPlan = (text: string): SendPlan | undefined =>
  plans.get(text) ??
    (text.startsWith(foreign) ? { how: "foreign", text: text.slice(foreign.length), name: "" } : undefined)
