import type { Passkey } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import { EmptyNote, ErrorNote } from "../dashboard/kit/elements.tsx"
import type { PageContent, PageContext } from "../dashboard/Page.ts"
import { signInCardPage } from "../signIn/SignInPages.tsx"
import { addNextParameter } from "../signIn/StaffAuth.ts"
import type { Page } from "../ui/Document.tsx"
import { Field, HiddenFields } from "../ui/Field.tsx"
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
export const passkeyPromptPage = (
  { site, text: { passkey } }: RenderContext,
  { next, options }: { readonly next: string | null; readonly options: object }
): Page => ({
  ...framePage(
    passkey.signIn.title,
    <PasskeyPrompt
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
export const PasskeyPrompt = ({ action, back, fields, options, text: { asking }, way }: {
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
  <form method="post" action={action} class="card pad stack" data-passkey={way} data-options={JSON.stringify(options)}>
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

/** Renders the signed-in staff member's passkeys. */
export const passkeysPage = (
  { format, me, site }: PageContext,
  { canAdd, passkeys, wrong }: {
    readonly passkeys: ReadonlyArray<Passkey>
    /** Whether browsers support passkeys at this address. */
    readonly canAdd: boolean
    /** Why the last attempt to add a passkey failed. */
    readonly wrong?: keyof typeof errorTexts | undefined
  }
): PageContent => {
  const formatDate = (at: Instant.Instant) => format.date(format.localDate(Instant.format(at)))
  return {
    title: "Your passkeys",
    isLive: false,
    lead: <span dir="auto">{me.email}</span>,
    body: (
      <div class="stack form">
        {wrong !== undefined && <ErrorNote>{errorTexts[wrong]}</ErrorNote>}
        <section class="card" aria-label="Passkeys">
          {passkeys.length === 0 && (
            <EmptyNote>No passkeys. With a passkey, you sign in with your fingerprint, face, or device PIN.</EmptyNote>
          )}
          {passkeys.length > 0 && (
            <ul class="rows">
              {passkeys.map(({ createdAt, id, lastUsedAt, name }) => (
                <li key={id}>
                  <div class="grow">
                    <b dir="auto">{name}</b>
                    <p class="soft small">
                      {`added on ${formatDate(createdAt)} · `}
                      {lastUsedAt === null ? "never used" : `last used on ${formatDate(lastUsedAt)}`}
                    </p>
                  </div>
                  <form method="post" action={site.link("/dashboard/passkeys/remove")}>
                    <input type="hidden" name="id" value={id} />
                    <button class="btn bad" aria-label={`Remove ${name}`}>Remove</button>
                  </form>
                </li>
              ))}
            </ul>
          )}
        </section>
        {canAdd
          ? (
            <form class="card pad stack" method="post" action={site.link("/dashboard/passkeys/new")}>
              <Field
                name="name"
                label="Device name"
                hint="For example, “Phone” or “Office laptop”."
                input={{ maxLength: 80, autoComplete: "off" }}
              />
              <p>
                <button class="btn main">Add a passkey</button>
              </p>
            </form>
          )
          : <p class="note">Passkeys require an https address with a host name, or localhost.</p>}
      </div>
    )
  }
}

/** Renders the page that prompts the device to create a passkey. */
export const addPasskeyPage = (
  { site, text: { passkey } }: PageContext,
  { name, options }: { readonly name: string; readonly options: object }
): PageContent => ({
  title: "Add a passkey",
  script: "passkey",
  body: (
    <div class="narrow">
      <PasskeyPrompt
        text={passkey}
        way="create"
        options={options}
        action={site.link("/dashboard/passkeys")}
        fields={{ name }}
        back={site.link("/dashboard/passkeys")}
      />
    </div>
  )
})

const errorTexts = {
  unanswered: "The device did not respond in time. Try again.",
  known: "This device already has a passkey, or you have reached the maximum number of passkeys."
} as const
