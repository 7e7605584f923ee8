/** `docs/reference/access.md`: who may do which operation, and who is answered by which page. */
import { operations, pageOperations } from "@trailbook/core/operation/layer"
import type { Operation } from "@trailbook/core/operation/Operation"
import { type Role, scopesOf } from "@trailbook/core/staff/StaffMember"
import type { AnyRoute } from "@trailbook/http/Route"
import { actorOf, everyScope, type Kind, kinds, mayDo } from "../actors/kinds.ts"
import { code, page, table, written } from "../docs/reference/markdown.ts"
import { askers, openTo, rowsOf } from "./pages.ts"

const titles: { readonly [K in Exclude<Kind, "Staff">]: string } = {
  Key: "an API key",
  Host: "a program around it",
  Application: "a token",
  Guest: "a guest",
  Visitor: "a visitor",
  Agent: "the ops agent"
}

type Column = readonly [title: string, kind: Kind, role?: Role]

/** Somebody signed in holds what their role gives; of the others, each holds all that its kind can. */
const columns = kinds.flatMap((kind): ReadonlyArray<Column> =>
  kind === "Staff"
    ? [["staff", kind, "staff"], ["an owner", kind, "owner"]]
    : [[titles[kind], kind]]
)

const operationRow = ({ name, scope }: Pick<Operation.Any, "name" | "scope">): ReadonlyArray<string> => [
  code(name),
  scope,
  ...columns.map(([, kind, role]) => {
    const scopes = role === undefined ? new Set(everyScope) : scopesOf[role]
    return mayDo(actorOf(kind, { orgId: "", scopes }), scope) ? "yes" : ""
  })
]

const ofOperations = ["operation", "scope", ...columns.map(([title]) => title)]

export const accessPage = (routes: ReadonlyArray<AnyRoute>): string =>
  page(
    "# Who may do what",
    "",
    written,
    "",
    "A key and a token hold the scopes that they were given; the table says what they can do with all that there are for them. A guest is whoever has the",
    "address of a booking, a visitor whoever has that of a booking page, and nobody has either. Everybody acts within one org, and what another org has is not",
    "there for them.",
    "",
    "## Operations",
    "",
    "By REST, by assistants, and by the pages. `test/actors.test.ts` tries each, with each scope.",
    "",
    table(ofOperations, operations.map(operationRow)),
    "",
    "## Operations of pages alone",
    "",
    "They have no route and no tool.",
    "",
    table(ofOperations, pageOperations.map(operationRow)),
    "",
    "## Pages",
    "",
    "`test/access.test.ts` tries each cell: **yes** is answered; **own** is answered with what belongs to the org of whoever asks; **sign in** is sent to sign in, or told",
    "401; **no** is refused, 403; **nothing** is not there, 404, or was over before. Wherever it does not say yes or own, nothing changes. Keys and tokens open no page. The last column is a",
    "form that a page of another site sends by the browser of somebody who may.",
    "",
    table(
      ["page", "scope", ...askers, "from another site"],
      rowsOf(routes).map(({ cells, foreign, route, scope }) => [
        code(route),
        scope,
        ...askers.map((asker) => cells[asker]),
        foreign ?? ""
      ])
    ),
    "",
    "## Open to anybody",
    "",
    "These ask nobody who they are, or find out by themselves: by the link, the passkey, the code or the token that is sent along. Without one they change nothing.",
    "",
    table(
      ["address", "from another site"],
      openTo(routes).map(({ method, path, refuse }) => [
        code(`${method} ${path}`),
        method === "GET" ? "" : refuse === undefined ? "yes" : "no"
      ])
    )
  )
