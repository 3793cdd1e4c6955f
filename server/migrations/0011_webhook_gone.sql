-- The address of a product or a chat that answered 410 Gone: it is told of no more events while it stays the address.
ALTER TABLE webhook_lanes ADD COLUMN gone_url text;
