/**
 * The booking engine for outdoor outfitters, embedded in a host application, with promises and plain types. Effect
 * services and layers are in `trailbook/effect`.
 */
export * from "@trailbook/client/operations"
export type { Result } from "@trailbook/client/Result"
export { TrailbookError } from "@trailbook/client/TrailbookError"
export type { Calls, ResultCalls } from "./embed/Calls.ts"
export { type CreateTrailbook, createTrailbook } from "./embed/createTrailbook.ts"
export type { Before, Transaction } from "./embed/hook/Before.ts"
export { refuse } from "./embed/hook/hookRefusal.ts"
export type { Handler, On, OnOptions } from "./embed/hook/On.ts"
export type { Authorized, HttpOptions } from "./embed/option/HttpOptions.ts"
export type {
  Clock,
  OrgDetails,
  RepliesOptions,
  TrailbookOptions,
  WebhookOptions
} from "./embed/option/TrailbookOptions.ts"
export type { ActorOptions, EventsOptions, Outfitter, Scope, Source } from "./embed/Outfitter.ts"
export type { Drafter, LanguageModel } from "./embed/service/Drafter.ts"
export type { Files } from "./embed/service/Files.ts"
export type { Mail, Mailer } from "./embed/service/Mailer.ts"
export type { Notice, Notifier } from "./embed/service/Notifier.ts"
export type { CheckoutState, PaidAmount, Payment, Payments, RefundState } from "./embed/service/Payments.ts"
export type {
  Forecast,
  ForecastHour,
  ForecastHours,
  ForecastSource,
  Gauges,
  GaugeSource,
  River,
  Weather
} from "./embed/service/Weather.ts"
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
export type { HostTransaction, Within } from "./embed/transaction/HostTransaction.ts"
export { type PgPool, postgres, type PostgresDatabase } from "./embed/transaction/postgres.ts"
export {
  type DrizzleQuery,
  type DrizzleTransaction,
  fromDrizzle,
  fromKysely,
  fromPg,
  type KyselyQuery,
  type KyselyTransaction,
  type PgClient
} from "./embed/transaction/transactionAdapters.ts"
