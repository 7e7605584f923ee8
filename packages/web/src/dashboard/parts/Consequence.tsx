import type { ComponentChildren } from "preact"
import { Hidden } from "../../ui/Field.tsx"
import type { PageContext } from "../Page.ts"
import { FormButtons } from "./FormButtons.tsx"

export interface ConsequenceProps {
  readonly asked: Pick<PageContext, "refused" | "shown">
  /** Consequences, one sentence each, the most severe first. */
  readonly happens: ReadonlyArray<ComponentChildren>
  /** Form action. Default: the URL of the page. */
  readonly to?: `/${string}` | undefined
  /** Button label with verb and object: "Revoke key". */
  readonly confirm: string
  /** Path of the cancel link. */
  readonly back: `/${string}`
  readonly backLabel?: string
  /** Hidden fields, such as an idempotency key. */
  readonly hidden?: Readonly<Record<string, string | number | undefined>>
  /** Error message of the last attempt, if it replaces the default message. */
  readonly refused?: string | undefined
  /** Default: true. If false, nothing is lost and the button is not red. */
  readonly isGrave?: boolean
  /** Additional fields. */
  readonly children?: ComponentChildren
}

/**
 * Confirmation of an action that cannot be undone or that affects guests: the consequences, the button, and a link
 * back.
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
