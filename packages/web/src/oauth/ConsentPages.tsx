import { type ApiKeyScope, scopes as known } from "@trailbook/core/actor"
import { type AuthorizationRequest, isLoopbackUri, isUrlClientId, type OAuthClient } from "@trailbook/core/oauth"
import type { Page } from "../ui/Document.tsx"
import { framePage } from "../ui/Layout.tsx"
import type { RenderContext } from "../ui/RenderContext.ts"

/**
 * Asks an owner to authorize an OAuth client. The verified hosts are shown before the client's self-description. Access
 * to guest data must be selected explicitly.
 */
export const consentPage = (
  { site, text: { signIn: { as, connect, out } } }: RenderContext,
  { application, email, isEmpty = false, org, request, search }: {
    readonly application: OAuthClient
    readonly email: string
    readonly isEmpty?: boolean
    readonly org: string
    readonly request: AuthorizationRequest
    /** The query string. When the form is submitted, the authorization request is parsed from it again. */
    readonly search: string
  }
): Page => {
  const redirectHost = toHost(request.redirectUri)
  const clientHost = isUrlClientId(application.clientId) ? toHost(application.clientId) : redirectHost
  return framePage(
    connect.title(org),
    <>
      <form method="post" action={site.link("/authorize") + search} class="card pad stack">
        <p>
          <span class="soft">{connect.at}</span>
          <br />
          <span class="host">{clientHost}</span>
        </p>
        {application.name !== "" && <p dir="auto">{connect.names(application.name)}</p>}
        {clientHost !== redirectHost && <p>{connect.back(redirectHost)}</p>}
        {isLoopbackUri(request.redirectUri) && <p class="note" role="note">{connect.local}</p>}
        <fieldset class="ticks" aria-describedby={isEmpty ? "tick" : undefined}>
          <legend class="label">{connect.may}</legend>
          {isEmpty && <p id="tick" class="bad" role="alert">{connect.tick}</p>}
          {known.filter((scope) => request.scopes.includes(scope)).map((scope) => (
            <ScopeCheckbox
              key={scope}
              name={scope}
              words={connect.scopes[scope]}
              checked={!isEmpty && scope !== "admin"}
            />
          ))}
          <ScopeCheckbox name="personal" words={connect.personal} checked={false} />
        </fieldset>
        <div class="acts">
          <button class="btn" name="decision" value="allow">{connect.allow}</button>
          <button class="btn ghost" name="decision" value="deny">{connect.deny}</button>
        </div>
        <p class="soft small">{connect.ends}</p>
      </form>
      <form method="post" action={site.link("/sign-out")} class="bar small soft">
        <span dir="auto">{as(email)}</span>
        <button class="btn ghost small">{out}</button>
      </form>
    </>
  )
}

const ScopeCheckbox = ({ checked, name, words }: {
  readonly name: ApiKeyScope | "personal"
  readonly words: { readonly word: string; readonly what: string }
  readonly checked: boolean
}) => (
  <label>
    <input type="checkbox" name={name} value="yes" checked={checked} />
    <span>
      {words.word}
      <span class="soft small">{words.what}</span>
    </span>
  </label>
)

/**
 * Sends the browser back to the OAuth client through an intermediate page, because the content security policy forbids
 * redirecting a form response to another origin.
 */
export const redirectPage = ({ text: { signIn: { connect } } }: RenderContext, address: string): Page => ({
  ...framePage(
    connect.onTo.title,
    <p class="card pad">
      <a href={address} rel="noreferrer">{connect.onTo.link}</a>
    </p>
  ),
  onTo: address
})

export const ownersOnlyPage = ({ site, text: { signIn } }: RenderContext, org: string, email: string): Page =>
  framePage(
    signIn.connect.ownersOnly.title,
    <form method="post" action={site.link("/sign-out")} class="card pad stack">
      <p dir="auto">{signIn.connect.ownersOnly.text(org)}</p>
      <p class="soft small" dir="auto">{signIn.as(email)}</p>
      <button class="btn ghost">{signIn.out}</button>
    </form>
  )

/**
 * Explains an invalid request to the OAuth client's developer. With `backUrl`, the reader can continue to the client,
 * but the page never redirects automatically.
 */
export const invalidRequestPage = (
  { text: { signIn: { connect } } }: RenderContext,
  message: string,
  backUrl?: string
): Page =>
  framePage(
    connect.wrong.title,
    <div class="card pad stack">
      <p>{connect.wrong.text}</p>
      <p>
        <code lang="en" dir="ltr">{message}</code>
      </p>
      {backUrl !== undefined && (
        <p>
          <a class="btn ghost" href={backUrl} rel="noreferrer">{connect.wrong.back(toHost(backUrl))}</a>
        </p>
      )}
    </div>
  )

/** Returns a redirect URI's host, or its scheme if the scheme is custom. */
const toHost = (address: string): string => {
  const { host, protocol } = new URL(address)
  return protocol === "https:" || protocol === "http:" ? host : protocol
}
