import { Hidden } from "../ui/Field.tsx"
import type { RenderContext } from "../ui/RenderContext.ts"

/** Has the browser ask the device, by the script `passkey`, and sends on what that answers. */
export const DevicePrompt = ({ action, back, fields, options, text: { asking }, way }: {
  readonly text: RenderContext["text"]["passkey"]
  /** How the browser is asked. */
  readonly way: "get" | "create"
  readonly options: object
  /** Where the answer goes. */
  readonly action: string
  /** What goes along. */
  readonly fields: Readonly<Record<string, string>>
  /** Where to go on without. */
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
