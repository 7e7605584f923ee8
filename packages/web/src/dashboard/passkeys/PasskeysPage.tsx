import type { Passkey } from "@trailbook/core/staff"
import * as Instant from "@trailbook/core/time/Instant"
import { DevicePrompt } from "../../passkey/PasskeyPages.tsx"
import { Field } from "../../ui/Field.tsx"
import { EmptyNote, ErrorNote } from "../kit/elements.tsx"
import type { DashboardContext, PageContent } from "../Page.ts"

/** Renders the signed-in staff member's passkeys. */
export const passkeysPage = (
  { format, me, site }: DashboardContext,
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
            <EmptyNote>
              No passkeys. With a passkey, you sign in with your fingerprint, face, or device PIN.
            </EmptyNote>
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
          : (
            <p class="note">
              Passkeys require an https address with a host name, or localhost.
            </p>
          )}
      </div>
    )
  }
}

/** Renders the page that prompts the device to create a passkey. */
export const addPasskeyPage = (
  { site, text: { passkey } }: DashboardContext,
  { name, options }: { readonly name: string; readonly options: object }
): PageContent => ({
  title: "Add a passkey",
  script: "passkey",
  body: (
    <div class="narrow">
      <DevicePrompt
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
