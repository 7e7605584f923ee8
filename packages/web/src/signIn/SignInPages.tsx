import type { Page } from "../ui/Document.tsx"
import { framePage } from "../ui/Frame.tsx"
import type { RenderContext } from "../ui/RenderContext.ts"
import { withNext } from "./nextPath.ts"

/** Where somebody says who they are. */
export const emailPage = (
  { site, text: { passkey, signIn } }: RenderContext,
  { email = "", hasPasskeys, isWrong = false, next }: {
    readonly email?: string
    readonly isWrong?: boolean
    readonly next: string | null
    /** Whether browsers know passkeys at this address. */
    readonly hasPasskeys: boolean
  }
): Page =>
  framePage(
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
      {hasPasskeys && <a href={withNext(site.link("/sign-in/passkey"), next)}>{passkey.signIn.link}</a>}
    </form>
  )

/** The same for whoever is known here and whoever is not. */
export const sentPage = ({ site, text: { signIn } }: RenderContext, email: string, next: string | null): Page =>
  framePage(
    signIn.sent.title,
    <div class="card pad stack">
      <p dir="auto">{signIn.sent.text(email)}</p>
      <p class="soft small">
        {signIn.sent.again} <a href={withNext(site.link("/sign-in"), next)}>{signIn.over.button}</a>
      </p>
    </div>
  )

/**
 * What a mailed link opens: a page with a button, for programs that look through mails open
 * every link in them, and press nothing.
 */
export const linkPage = ({ text: { signIn } }: RenderContext, email: string): Page =>
  framePage(
    signIn.link.title,
    // Without an action it goes to the address of the page, which has the secret in it.
    <form method="post" class="card pad stack">
      <p dir="auto">{signIn.link.text(email)}</p>
      <button class="btn wide">{signIn.link.button}</button>
    </form>
  )

export const linkExpiredPage = ({ site, text: { signIn } }: RenderContext): Page =>
  framePage(
    signIn.over.title,
    <div class="card pad stack">
      <p>{signIn.over.text}</p>
      <a class="btn wide" href={site.link("/sign-in")}>{signIn.over.button}</a>
    </div>
  )

/** Nobody has said where the service is reached, and a link has to begin with that. */
export const noAccessPage = ({ text: { signIn } }: RenderContext): Page =>
  framePage(signIn.nowhere.title, <p class="card pad">{signIn.nowhere.text}</p>)
