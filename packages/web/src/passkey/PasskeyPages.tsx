import { signInCardPage } from "../signIn/SignInPages.tsx"
import { addNextParameter } from "../signIn/staffRenderError.ts"
import type { Page } from "../ui/Document.tsx"
import { HiddenFields } from "../ui/Field.tsx"
import { framePage } from "../ui/Layout.tsx"
import type { RenderContext } from "../ui/RenderContext.ts"

/**
 * Renders the passkey sign-in page. A button opens a separate prompt page, because a challenge expires after a few
 * minutes.
 */
export const signInPage = (
  { site, text: { passkey } }: RenderContext,
  { isWrong = false, next }: { readonly isWrong?: boolean; readonly next: string | null }
): Page =>
  signInCardPage(
    passkey.signIn.title,
    <form method="post" action={site.link("/sign-in/passkey")} class="card pad stack">
      {isWrong && <p class="bad" role="alert">{passkey.signIn.wrong}</p>}
      <p class="soft">{passkey.signIn.lead}</p>
      {next !== null && <input type="hidden" name="next" value={next} />}
      <button class="btn wide">{passkey.signIn.button}</button>
      <a href={addNextParameter(site.link("/sign-in"), next)}>{passkey.signIn.mail}</a>
    </form>
  )

/** Renders the page that prompts for the passkey. */
export const devicePromptPage = (
  { site, text: { passkey } }: RenderContext,
  { next, options }: { readonly next: string | null; readonly options: object }
): Page => ({
  ...framePage(
    passkey.signIn.title,
    <DevicePrompt
      text={passkey}
      way="get"
      options={options}
      action={site.link("/sign-in/passkey/done")}
      fields={next === null ? {} : { next }}
      back={addNextParameter(site.link("/sign-in"), next)}
    />
  ),
  script: ["passkey", "signIn"]
})

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
  /** The URL to return to if the user skips the passkey. */
  readonly back: string
}) => (
  <form
    method="post"
    action={action}
    class="card pad stack"
    data-passkey={way}
    data-options={JSON.stringify(options)}
  >
    <HiddenFields values={fields} />
    <input type="hidden" name="answer" />
    <p data-plain>{asking.noScript}</p>
    <p data-asking hidden>{asking.text}</p>
    <p class="bad" role="alert" data-wrong hidden>{asking.wrong}</p>
    <p class="bad" role="alert" data-unknown hidden>{asking.unknown}</p>
    <button type="button" class="btn wide" data-ask hidden>{asking.again}</button>
    <a href={back}>{asking.back}</a>
  </form>
)
