import type { Passkey } from "@trailbook/core/staff/Passkey"
import * as Instant from "@trailbook/core/time/Instant"
import { framed } from "../signIn/Frame.tsx"
import type { Page } from "../ui/Document.tsx"
import type { Shown } from "../ui/Shown.ts"

/**
 * Where somebody signs in with a passkey. The device is asked by a page of its own, once they
 * have pressed the button: what it is asked is good for minutes.
 *
 * @category views
 */
export const signInPage = (
  { site, text: { passkey } }: Shown,
  { isWrong = false, next }: { readonly isWrong?: boolean; readonly next: string | null }
): Page =>
  framed(
    passkey.signIn.title,
    <form method="post" action={site.link("/sign-in/passkey")} class="card pad stack">
      {isWrong && <p class="bad" role="alert">{passkey.signIn.wrong}</p>}
      <p class="soft">{passkey.signIn.lead}</p>
      {next !== null && <input type="hidden" name="next" value={next} />}
      <button class="btn wide">{passkey.signIn.button}</button>
      <a href={withNext(site.link("/sign-in"), next)}>{passkey.signIn.mail}</a>
    </form>
  )

/**
 * Has the browser ask the device, by a script, and sends on what that answers.
 *
 * @category views
 */
export const askingPage = ({ text: { passkey } }: Shown, given: {
  readonly title: string
  /** How the browser is asked. */
  readonly way: "get" | "create"
  readonly options: object
  /** Where the answer goes. */
  readonly action: string
  /** What goes along. */
  readonly fields: Readonly<Record<string, string>>
  /** Where to go on without. */
  readonly back: string
}): Page => ({
  ...framed(
    given.title,
    <form
      method="post"
      action={given.action}
      class="card pad stack"
      data-passkey={given.way}
      data-options={JSON.stringify(given.options)}
    >
      {Object.entries(given.fields).map(([name, value]) => (
        <input
          key={name}
          type="hidden"
          name={name}
          value={value}
        />
      ))}
      <input type="hidden" name="answer" />
      <p data-plain>{passkey.asking.noScript}</p>
      <p data-asking hidden>{passkey.asking.text}</p>
      <p class="bad" role="alert" data-wrong hidden>{passkey.asking.wrong}</p>
      <p class="bad" role="alert" data-unknown hidden>{passkey.asking.unknown}</p>
      <button type="button" class="btn wide" data-ask hidden>{passkey.asking.again}</button>
      <a href={given.back}>{passkey.asking.back}</a>
    </form>
  ),
  script: "passkey"
})

/**
 * A person's own passkeys.
 *
 * @category views
 */
export const listPage = (
  { reader, site, text: { passkey, signIn } }: Shown,
  { canAdd, email, passkeys, wrong }: {
    readonly email: string
    readonly passkeys: ReadonlyArray<Passkey>
    /** False, where browsers know none at this address. */
    readonly canAdd: boolean
    /** Why none was added. */
    readonly wrong?: string | undefined
  }
): Page => {
  const dates = new Intl.DateTimeFormat(reader.language, { dateStyle: "medium" })
  const date = (at: Passkey["createdAt"]) => dates.format(new Date(Instant.format(at)))
  return framed(
    passkey.list.title,
    <>
      <p class="soft" dir="auto">{signIn.as(email)}</p>
      {wrong !== undefined && <p class="bad" role="alert">{wrong}</p>}
      <section class="card pad stack">
        {passkeys.length === 0 && <p>{passkey.list.none}</p>}
        {passkeys.length > 0 && (
          <ul class="rows">
            {passkeys.map(({ createdAt, id, lastUsedAt, name }) => (
              <li key={id}>
                <div>
                  <strong dir="auto">{name}</strong>
                  <div class="soft small">
                    {passkey.list.added(date(createdAt))}
                    {" · "}
                    {passkey.list.used(lastUsedAt === null ? null : date(lastUsedAt))}
                  </div>
                </div>
                <form method="post" action={site.link("/dashboard/passkeys/remove")}>
                  <input type="hidden" name="id" value={id} />
                  <button class="btn ghost small" aria-label={passkey.list.removeNamed(name)}>
                    {passkey.list.remove}
                  </button>
                </form>
              </li>
            ))}
          </ul>
        )}
      </section>
      {canAdd
        ? (
          <form method="post" action={site.link("/dashboard/passkeys/new")} class="card pad stack">
            <div class="field">
              <label for="name">{passkey.list.name}</label>
              <input id="name" name="name" required maxLength={80} autoComplete="off" aria-describedby="name-hint" />
              <p id="name-hint" class="soft small">{passkey.list.hint}</p>
            </div>
            <button class="btn wide">{passkey.list.add}</button>
          </form>
        )
        : <p class="card pad">{passkey.list.nowhere}</p>}
      <p>
        <a href={site.link("/dashboard")}>{passkey.list.back}</a>
      </p>
    </>,
    true
  )
}

const withNext = (path: string, next: string | null): string =>
  next === null ? path : `${path}?${new URLSearchParams({ next }).toString()}`
