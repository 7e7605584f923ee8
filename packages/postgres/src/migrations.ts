import type { Migrations } from "@trailbook/sql/schema/migrate"
import { create } from "./migrations/0001_create.ts"
import { messageNotices } from "./migrations/0024_message_notices.ts"
import { unproven } from "./migrations/0025_unproven.ts"
import { refusals } from "./migrations/0026_refusals.ts"
import { auditActors } from "./migrations/0027_audit_actors.ts"
import { units } from "./migrations/0028_units.ts"
import { bookingTimes } from "./migrations/0029_booking_times.ts"
import { attendance } from "./migrations/0030_attendance.ts"
import { schedule } from "./migrations/0031_schedule.ts"
import { ledger } from "./migrations/0032_ledger.ts"
import { olderServers } from "./migrations/0033_older_servers.ts"
import { prices } from "./migrations/0034_prices.ts"
import { oldestServer } from "./migrations/0035_oldest_server.ts"
import { photos } from "./migrations/0036_photos.ts"
import { policies } from "./migrations/0037_policies.ts"
import { changes } from "./migrations/0038_changes.ts"
import { reports } from "./migrations/0039_reports.ts"
import { discounts } from "./migrations/0040_discounts.ts"
import { refunds } from "./migrations/0041_refunds.ts"
import { assistantCalls } from "./migrations/0042_assistant_calls.ts"
import { staffRefunds } from "./migrations/0043_staff_refunds.ts"

export const migrations = (schema: string): Migrations => ({
  create: create(schema),
  createdVersion: 28,
  oldestVersion: 23,
  steps: [
    { name: "message_notices", statements: messageNotices(schema) },
    { name: "unproven", statements: unproven(schema) },
    { name: "refusals", statements: refusals(schema) },
    { name: "audit_actors", statements: auditActors(schema) },
    { name: "units", statements: units(schema) },
    { name: "booking_times", statements: bookingTimes(schema) },
    { name: "attendance", statements: attendance(schema) },
    { name: "schedule", statements: schedule(schema) },
    { name: "ledger", statements: ledger(schema) },
    { name: "older_servers", statements: olderServers(schema) },
    { name: "prices", statements: prices(schema) },
    { name: "oldest_server", statements: oldestServer(schema) },
    { name: "photos", statements: photos(schema), oldestServer: 35 },
    { name: "policies", statements: policies(schema) },
    { name: "changes", statements: changes(schema), oldestServer: 37 },
    { name: "reports", statements: reports(schema), oldestServer: 37 },
    { name: "discounts", statements: discounts(schema), oldestServer: 37 },
    { name: "refunds", statements: refunds(schema) },
    { name: "assistant_calls", statements: assistantCalls(schema), oldestServer: 41 },
    { name: "staff_refunds", statements: staffRefunds(schema), oldestServer: 41 }
  ]
})
