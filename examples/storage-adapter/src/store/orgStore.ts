import type { OrgStore } from "@trailbook/core/org"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { byCreation, page } from "../page.ts"
import { get, inGroup } from "../State.ts"

export const orgStore = ({ read, write }: Journal): OrgStore["Type"] => {
  const find = (id: string) => read(({ orgs }) => Option.fromNullable(get(orgs, id)))
  return {
    find,
    lock: find,
    findBySlug: (slug) => read(({ orgs }) => Option.fromNullable(inGroup(orgs, `slug ${slug}`)[0])),
    all: read(({ orgs }) => page(inGroup(orgs, "all"), byCreation, { limit: Infinity })),
    put: (row) => write(() => [{ table: "orgs", row }])
  }
}
