/** Adds the setting that lets staff members who are not owners refund. By default, only owners may refund. */
export const staffRefunds = (schema: string): ReadonlyArray<string> => [
  `alter table "${schema}".orgs add column staff_may_refund boolean not null default false`
]
