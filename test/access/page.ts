/** Writes `docs/reference/access.md`: the operations and pages that each kind of actor can use. */
import { operations, pageOperations } from "@trailbook/core/layer"
import type { Operation } from "@trailbook/core/operation/Operation"
import { type Role, roleScopes } from "@trailbook/core/staff/StaffMember"
import type { AnyRoute } from "@trailbook/http/Route"
import { actorOf, everyScope, type Kind, kinds, mayDo } from "../actors/kinds.ts"
import { code, page, table, written } from "../docs/reference/markdown.ts"
import { askers, openTo, rowsOf } from "./pages.ts"

const titles: { readonly [K in Exclude<Kind, "Staff">]: string } = {
  Key: "an API key",
  Host: "a host application",
  Application: "a token",
  Guest: "a guest",
  Visitor: "a visitor",
  Agent: "the ops agent"
}

type Column = readonly [title: string, kind: Kind, role?: Role]

/** A staff member has the scopes of the role. Every other kind has all scopes that it can have. */
const columns = kinds.flatMap((kind): ReadonlyArray<Column> =>
  kind === "Staff"
    ? [["staff", kind, "staff"], ["an owner", kind, "owner"]]
    : [[titles[kind], kind]]
)

const operationRow = ({ name, scope }: Pick<Operation.Any, "name" | "scope">): ReadonlyArray<string> => [
  code(name),
  scope,
  ...columns.map(([, kind, role]) => {
    const scopes = role === undefined ? new Set(everyScope) : roleScopes[role]
    return mayDo(actorOf(kind, { orgId: "", scopes }), scope) ? "yes" : ""
  })
]

const ofOperations = ["operation", "scope", ...columns.map(([title]) => title)]

export const accessPage = (routes: ReadonlyArray<AnyRoute>): string =>
  page(
    "# Access",
    "",
    written,
    "",
    "The tables list which actor can run which operation and open which page. API keys and tokens are shown with all scopes that they can have. A guest",
    "has the link to a booking, a visitor has the link to a booking page, and `nobody` has no link. Every actor belongs to one org and cannot find data of",
    "other orgs.",
    "",
    "## Operations",
    "",
    "Available over REST, to assistants, and in the pages. `test/actors.test.ts` tests each operation with each scope.",
    "",
    table(ofOperations, operations.map(operationRow)),
    "",
    "## Operations only in pages",
    "",
    "These operations have no REST route and no tool.",
    "",
    table(ofOperations, pageOperations.map(operationRow)),
    "",
    "## Pages",
    "",
    "`test/access.test.ts` tests each cell. **yes**: the request succeeds. **own**: the request succeeds with the data of the caller's own org. **sign in**:",
    "redirect to sign-in, or 401. **no**: 403. **nothing**: 404, or already expired. Except for yes and own, nothing changes. API keys and tokens open no page.",
    "The last column shows the result of a form that another website submits through the browser of an authorized user.",
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
    "## Open without sign-in",
    "",
    "These addresses need no sign-in, or authenticate the request with a link, a passkey, a code, or a token. Without one of them, they change nothing.",
    "",
    table(
      ["address", "from another site"],
      openTo(routes).map(({ method, path, refuse }) => [
        code(`${method} ${path}`),
        method === "GET" ? "" : refuse === undefined ? "yes" : "no"
      ])
    )
  )
