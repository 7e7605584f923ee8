import { customersList } from "@trailbook/core/customer/customerOperations"
import * as Effect from "effect/Effect"
import { nameInitial } from "../../ui/nameInitial.ts"
import type { PageView } from "../Page.ts"
import { Empty } from "../parts/Empty.tsx"
import { Pager } from "../parts/Pager.tsx"

const atOnce = 50

/** All guests, newest first, or the results of a search. */
export const view: PageView = ({ query, run, shown: { format, site } }) =>
  Effect.gen(function*() {
    const q = query("q")?.slice(0, 100)
    const cursor = query("cursor")
    const asked = { limit: atOnce, ...(q === undefined ? {} : { q }) }
    const { data, next_cursor } = yield* run(customersList, { ...asked, ...(cursor === undefined ? {} : { cursor }) })
    const page = (more: Readonly<Record<string, string>>) =>
      `?${new URLSearchParams({ ...(q === undefined ? {} : { q }), ...more })}`
    return {
      title: "Guests",
      part: "guests",
      lead: "All guests, newest first.",
      actions: <a class="btn" href={site.link("/dashboard/guests/new")}>Add a guest</a>,
      body: (
        <section class="card" aria-label="Guests">
          <header>
            <search class="grow">
              <form class="pair" method="get" action={site.link("/dashboard/guests")}>
                <input
                  class="input grow"
                  type="search"
                  name="q"
                  maxLength={100}
                  value={q}
                  aria-label="Find a guest"
                  placeholder="Name, email, or phone"
                />
                <button class="btn">Find</button>
                {q !== undefined && <a class="btn plain" href={site.link("/dashboard/guests")}>Show all</a>}
              </form>
            </search>
          </header>
          {data.length === 0 && (
            <Empty>
              {q === undefined
                ? "No guests yet. Guests appear here with their first booking."
                : "No guests match. Try part of the name, email, or phone number."}
            </Empty>
          )}
          <ul class="rows">
            {data.map(({ created_at, email, id, name, phone }) => (
              <li key={id}>
                <span class="who" aria-hidden="true">{nameInitial(calledOf({ email, name }))}</span>
                <div class="grow">
                  <a class="title" href={site.link(`/dashboard/guests/${id}`)} dir="auto">
                    {calledOf({ email, name })}
                  </a>
                  <p class="soft small" dir="auto">{[name === "" ? "" : email, phone].filter(Boolean).join(" · ")}</p>
                </div>
                <p class="soft small">
                  {`since ${format.day(created_at)}, ${format.localDate(created_at).slice(0, 4)}`}
                </p>
              </li>
            ))}
          </ul>
          <Pager
            label="Pages"
            back={cursor !== undefined && ["First page", page({})]}
            more={next_cursor !== undefined && ["Next", page({ cursor: next_cursor })]}
          />
        </section>
      )
    }
  })

/** Display name of a guest. Erased guests have neither a name nor an email address. */
const calledOf = ({ email, name }: { readonly email: string; readonly name: string }): string =>
  name || email || "Erased guest"
