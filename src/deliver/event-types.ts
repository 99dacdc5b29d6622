/** What an account can be told of its deliveries, by its webhooks and by e-mail. */
export const eventTypes = [
  'order.delivered',
  'delivery.rejected',
  'destination.broken',
  'destination.recovered',
] as const
export type EventType = (typeof eventTypes)[number]
