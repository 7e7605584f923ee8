/**
 * Booking engine for outdoor outfitters, embedded in a host application, with promises and plain types. Effect services
 * and layers are in `trailbook/effect`.
 */
export * from "@trailbook/client/operations"
export type { Result } from "@trailbook/client/Result"
export { TrailbookError } from "@trailbook/client/TrailbookError"
export type { Before, Transaction } from "./embed/Before.ts"
export type { Calls, ResultCalls } from "./embed/Calls.ts"
export { type CreateTrailbook, createTrailbook } from "./embed/createTrailbook.ts"
export type { Drafter, LanguageModel } from "./embed/Drafter.ts"
export type { Files } from "./embed/Files.ts"
export { refuse } from "./embed/hookRefusal.ts"
export type { HostTransaction, Within } from "./embed/HostTransaction.ts"
export type { Authorized, HttpOptions } from "./embed/HttpOptions.ts"
export type { Mail, Mailer } from "./embed/Mailer.ts"
export type { Notice, Notifier } from "./embed/Notifier.ts"
export type { Handler, On, OnOptions } from "./embed/On.ts"
export type { ActorOptions, EventsOptions, Outfitter, Scope, Source } from "./embed/Outfitter.ts"
export type { CheckoutState, PaidAmount, Payment, Payments, RefundState } from "./embed/Payments.ts"
export { type PgPool, postgres, type PostgresDatabase } from "./embed/postgres.ts"
export type {
  Connection,
  Key,
  KeyDetails,
  Keys,
  Orgs,
  Staff,
  StaffDetails,
  StaffMember,
  Trailbook,
  Worker
} from "./embed/Trailbook.ts"
export type { Clock, OrgDetails, RepliesOptions, TrailbookOptions, WebhookOptions } from "./embed/TrailbookOptions.ts"
export {
  type DrizzleQuery,
  type DrizzleTransaction,
  fromDrizzle,
  fromKysely,
  fromPg,
  type KyselyQuery,
  type KyselyTransaction,
  type PgClient
} from "./embed/transactionAdapters.ts"
export type {
  Forecast,
  ForecastHour,
  ForecastHours,
  ForecastSource,
  Gauges,
  GaugeSource,
  River,
  Weather
} from "./embed/Weather.ts"
