import { Hidden } from "../ui/Field.tsx"
import type { RenderContext } from "../ui/RenderContext.ts"

/** The form that the `passkey` script submits with the authenticator's response. */
export const DevicePrompt = ({ action, back, fields, options, text: { asking }, way }: {
  readonly text: RenderContext["text"]["passkey"]
  /** The method to call on `navigator.credentials`. */
  readonly way: "get" | "create"
  readonly options: object
  /** The URL that receives the response. */
  readonly action: string
  /** Additional form fields. */
  readonly fields: Readonly<Record<string, string>>
  /** The URL to return to without a passkey. */
  readonly back: string
}) => (
  <form
    method="post"
    action={action}
    class="card pad stack"
    data-passkey={way}
    data-options={JSON.stringify(options)}
  >
    <Hidden values={fields} />
    <input type="hidden" name="answer" />
    <p data-plain>{asking.noScript}</p>
    <p data-asking hidden>{asking.text}</p>
    <p class="bad" role="alert" data-wrong hidden>{asking.wrong}</p>
    <p class="bad" role="alert" data-unknown hidden>{asking.unknown}</p>
    <button type="button" class="btn wide" data-ask hidden>{asking.again}</button>
    <a href={back}>{asking.back}</a>
  </form>
)
