-- What the seller's lists and pages look things up by.

-- The usual end of an order is left out: whoever filters by it reads the list itself.
CREATE INDEX orders_status ON orders (store_id, status, date_created DESC, id DESC) WHERE status <> 'Delivered';
CREATE INDEX webhook_deliveries_subject ON webhook_deliveries (store_id, subject_id);

-- Replies to tickets that a store keeps ready, as one list.
CREATE TABLE canned_replies (
  store_id uuid NOT NULL,
  replies jsonb NOT NULL,
  PRIMARY KEY (store_id)
);
