import { isDocument } from "@trailbook/core/application/Application"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { staffApplications, staffLogins } from "@trailbook/core/operation/staffOperations"
import { framed } from "../signIn/Frame.tsx"
import type { Page } from "../ui/Document.tsx"
import type { Shown } from "../ui/Shown.ts"

/**
 * @category models
 */
export interface Home {
  readonly org: string
  readonly email: string
  /** The address that assistants connect to. */
  readonly assistants: string
  /** Of an owner; others see neither. */
  readonly owned: {
    readonly applications: Operation.Output<typeof staffApplications>["data"]
    readonly logins: Operation.Output<typeof staffLogins>["data"]
    /** The login of this very browser. */
    readonly here: string
  } | undefined
}

/**
 * Where somebody comes to who has signed in: what is connected, and who is signed in where.
 *
 * @category views
 */
export const homePage = (shown: Shown, { assistants, email, org, owned }: Home): Page => {
  const { reader, site, text: { signIn: { as, home, out } } } = shown
  const date = new Intl.DateTimeFormat(reader.locale, { dateStyle: "medium", timeZone: "UTC" })
  const day = (at: string) => date.format(new Date(at))
  return framed(
    org,
    <>
      <form method="post" action={site.link("/sign-out")} class="bar">
        <span class="soft" dir="auto">{as(email)}</span>
        <button class="btn ghost small">{out}</button>
      </form>
      {owned !== undefined && (
        <>
          <section class="card pad stack" aria-labelledby="applications">
            <h2 id="applications">{home.applications}</h2>
            {owned.applications.length === 0 && <p class="soft">{home.none}</p>}
            <p>
              <code dir="ltr">{assistants}</code>
            </p>
            <ul class="rows">
              {owned.applications.map(({ client_id, created_at, id, last_used_at, name, personal }) => (
                <li key={id}>
                  <div>
                    <b dir="auto">{name === "" ? client_id : name}</b>
                    {isDocument(client_id) && <div class="small">{new URL(client_id).host}</div>}
                    <div class="soft small">
                      {home.approved(day(created_at))} · {home.used(last_used_at === null ? null : day(last_used_at))}
                    </div>
                    {personal && <div class="small">{home.personal}</div>}
                  </div>
                  <form method="post" action={site.link(`/dashboard/applications/${id}/withdraw`)}>
                    <button class="btn ghost small" aria-label={`${home.withdraw}: ${name}`}>{home.withdraw}</button>
                  </form>
                </li>
              ))}
            </ul>
          </section>
          <section class="card pad stack" aria-labelledby="logins">
            <h2 id="logins">{home.logins}</h2>
            <ul class="rows">
              {owned.logins.map(({ device, email, id, last_used_at }) => (
                <li key={id}>
                  <div>
                    <b dir="auto">{email}</b>
                    {id === owned.here && <span class="chip here">{home.here}</span>}
                    <div class="soft small">{device}</div>
                    <div class="soft small">{home.used(day(last_used_at))}</div>
                  </div>
                  {id !== owned.here && (
                    <form method="post" action={site.link(`/dashboard/logins/${id}/end`)}>
                      <button class="btn ghost small" aria-label={`${home.end}: ${email}`}>{home.end}</button>
                    </form>
                  )}
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
    </>,
    true
  )
}
