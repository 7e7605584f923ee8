/** Whether staff members who are not owners may refund. The default keeps refunds to owners. */
export const staffRefunds: ReadonlyArray<string> = [
  "alter table orgs add column staff_may_refund integer not null default 0 check (staff_may_refund in (0, 1))"
]
