import type { ActionView } from "@trailbook/core/proposal"
import { createHash } from "node:crypto"
import { readText } from "./ActionList.tsx"

/** Returns the editable text of the first message or reminder, and how many there are. */
export const messageDraft = (actions: ReadonlyArray<typeof ActionView.Type>) => {
  const letters = actions.filter(({ kind }) => kind === "message" || kind === "remind")
  const [first] = letters
  const body = readText(first?.facts["body"])
  return first === undefined || body === undefined
    ? undefined
    : { subject: readText(first.facts["subject"]) ?? "", body, letters: letters.length }
}

/** Returns a digest of the text. When the form is submitted, the digest shows whether the text was edited. */
export const draftDigest = ({ body, subject }: { readonly subject: string; readonly body: string }): string =>
  createHash("sha256").update(JSON.stringify([subject, body].map((text) => text.replaceAll(/\s+/g, " ").trim())))
    .digest("hex")
