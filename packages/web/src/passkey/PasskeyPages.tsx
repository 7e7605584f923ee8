import { withNext } from "../signIn/nextPath.ts"
import { cardPage } from "../signIn/SignInPages.tsx"
import type { Page } from "../ui/Document.tsx"
import { framePage } from "../ui/Frame.tsx"
import type { RenderContext } from "../ui/RenderContext.ts"
import { DevicePrompt } from "./DevicePrompt.tsx"

/**
 * Renders the passkey sign-in page. A button opens a separate prompt page, because a challenge expires after a few
 * minutes.
 */
export const signInPage = (
  { site, text: { passkey } }: RenderContext,
  { isWrong = false, next }: { readonly isWrong?: boolean; readonly next: string | null }
): Page =>
  cardPage(
    passkey.signIn.title,
    <form method="post" action={site.link("/sign-in/passkey")} class="card pad stack">
      {isWrong && <p class="bad" role="alert">{passkey.signIn.wrong}</p>}
      <p class="soft">{passkey.signIn.lead}</p>
      {next !== null && <input type="hidden" name="next" value={next} />}
      <button class="btn wide">{passkey.signIn.button}</button>
      <a href={withNext(site.link("/sign-in"), next)}>{passkey.signIn.mail}</a>
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
      back={withNext(site.link("/sign-in"), next)}
    />
  ),
  script: ["passkey", "signIn"]
})
