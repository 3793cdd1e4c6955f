-- The language in which the buyer ordered: mails and the receipt speak it.
ALTER TABLE orders ADD COLUMN language text NOT NULL DEFAULT 'en' CHECK (language ~ '^[a-z]{2}$');

-- Links by which a customer signs in to the store's pages: each once, for a quarter of an hour. Only hashes are kept.
CREATE TABLE customer_links (
  store_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  customer_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (store_id, token_hash)
);
CREATE INDEX customer_links_customer ON customer_links (store_id, customer_id, date_created);
CREATE INDEX customer_links_expiry ON customer_links (expires_at);

CREATE TABLE customer_sessions (
  store_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  customer_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (store_id, token_hash)
);
CREATE INDEX customer_sessions_customer ON customer_sessions (store_id, customer_id);
CREATE INDEX customer_sessions_expiry ON customer_sessions (expires_at);

-- What the marketplace may show, newest first.
CREATE INDEX products_listed ON products (id DESC) WHERE visibility = 0 AND deleted_at IS NULL;
