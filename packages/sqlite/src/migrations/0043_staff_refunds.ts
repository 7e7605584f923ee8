/** Adds the setting that lets staff members who are not owners refund. By default, only owners may refund. */
export const staffRefunds: ReadonlyArray<string> = [
  "alter table orgs add column staff_may_refund integer not null default 0 check (staff_may_refund in (0, 1))"
]
