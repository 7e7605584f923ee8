import type { Page } from "../ui/Document.tsx"
import { framePage } from "../ui/Layout.tsx"
import type { RenderContext } from "../ui/RenderContext.ts"
import { addNextParameter } from "./StaffAuth.ts"

/** Renders a sign-in page. Its script deletes the pages that the browser saved for the previous staff member. */
export const signInCardPage = (...[title, children]: Parameters<typeof framePage>): Page => ({
  ...framePage(title, children),
  script: "signIn"
})

/** Renders the sign-in form for the email address. */
export const emailPage = (
  { site, text: { passkey, signIn } }: RenderContext,
  { email = "", hasPasskeys, isWrong = false, next }: {
    readonly email?: string
    readonly isWrong?: boolean
    readonly next: string | null
    /** Whether passkeys are supported at this address. */
    readonly hasPasskeys: boolean
  }
): Page =>
  signInCardPage(
    signIn.title,
    <form method="post" action={site.link("/sign-in")} class="card pad stack">
      <p id="lead" class="soft">
        {signIn.lead} {next?.startsWith("/authorize") === true ? signIn.leadsTo.assistant : signIn.leadsTo.dashboard}
      </p>
      {next !== null && <input type="hidden" name="next" value={next} />}
      <div class="field">
        <label for="email">{signIn.email}</label>
        <input
          id="email"
          name="email"
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          value={email}
          aria-describedby={isWrong ? "wrong" : "lead"}
          aria-invalid={isWrong ? "true" : undefined}
        />
        {isWrong && <p id="wrong" class="bad">{signIn.wrongEmail}</p>}
      </div>
      <button class="btn wide">{signIn.send}</button>
      {hasPasskeys && <a href={addNextParameter(site.link("/sign-in/passkey"), next)}>{passkey.signIn.title}</a>}
    </form>
  )

/**
 * Renders the confirmation after the form is submitted. The confirmation is identical for known and unknown addresses.
 */
export const linkSentPage = ({ site, text: { signIn } }: RenderContext, email: string, next: string | null): Page =>
  signInCardPage(
    signIn.sent.title,
    <div class="card pad stack">
      <p dir="auto">{signIn.sent.text(email)}</p>
      <p class="soft small">
        {signIn.sent.again} <a href={addNextParameter(site.link("/sign-in"), next)}>{signIn.over.button}</a>
      </p>
    </div>
  )

/**
 * Renders the landing page for a mailed link. Signing in requires pressing a button, because mail scanners open every
 * link.
 */
export const signInLinkPage = ({ text: { signIn } }: RenderContext, email: string): Page =>
  signInCardPage(
    signIn.link.title,
    // Without `action`, the form is submitted to the current URL, which contains the secret.
    <form method="post" class="card pad stack">
      <p dir="auto">{signIn.link.text(email)}</p>
      <button class="btn wide">{signIn.title}</button>
    </form>
  )

export const signInLinkExpiredPage = ({ site, text: { signIn } }: RenderContext): Page =>
  signInCardPage(
    signIn.over.title,
    <div class="card pad stack">
      <p>{signIn.over.text}</p>
      <a class="btn wide" href={site.link("/sign-in")}>{signIn.over.button}</a>
    </div>
  )

/** Renders the page for a server without a public URL, which cannot create sign-in links. */
export const signInUnavailablePage = ({ text: { signIn } }: RenderContext): Page =>
  signInCardPage(signIn.nowhere.title, <p class="card pad">{signIn.nowhere.text}</p>)
