import type { ComponentChildren } from "preact"
import { Hidden } from "../../ui/Field.tsx"
import type { PageContext } from "../Page.ts"
import { FormButtons } from "./FormButtons.tsx"

export interface ConsequenceProps {
  readonly asked: Pick<PageContext, "refused" | "shown">
  /** What will happen when the button is pressed, a sentence each, the gravest first. */
  readonly happens: ReadonlyArray<ComponentChildren>
  /** Where the form is sent; the address of the page when nothing is said. */
  readonly to?: `/${string}` | undefined
  /** What the button does, in its own words: "Revoke the key". */
  readonly confirm: string
  /** Where somebody goes who does not want it. */
  readonly back: `/${string}`
  readonly backLabel?: string
  /** What travels with the form unseen, such as an idempotency key. */
  readonly hidden?: Readonly<Record<string, string | number | undefined>>
  /** Why it was not done the last time, where the page says it in words of its own. */
  readonly refused?: string | undefined
  /** False where nothing is lost: the button is not red then. */
  readonly isGrave?: boolean
  /** What may be typed or chosen with it. */
  readonly children?: ComponentChildren
}

/**
 * What something does that cannot be undone or that concerns others, said before it is done: what will happen, the
 * button that does it, and the way back.
 */
export const Consequence = (
  { asked, back, backLabel, children, confirm, happens, hidden, isGrave = true, refused = asked.refused?.message, to }:
    ConsequenceProps
) => (
  <form
    class="card consequence"
    method="post"
    action={to === undefined ? undefined : asked.shown.site.link(to)}
    data-once=""
  >
    <header>
      <h2>What happens next</h2>
    </header>
    <div class="pad stack">
      {refused !== undefined && <p class="note wrong" role="alert" tabIndex={-1} data-focus="">{refused}</p>}
      <ul class="stack tight">
        {happens.map((sentence, nth) => <li key={nth}>{sentence}</li>)}
      </ul>
      {children}
      {hidden !== undefined && <Hidden values={hidden} />}
      <FormButtons site={asked.shown.site} confirm={confirm} isGrave={isGrave} back={back} backLabel={backLabel} />
    </div>
  </form>
)
