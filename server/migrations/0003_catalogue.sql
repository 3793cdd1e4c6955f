CREATE TABLE stores (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  url text NOT NULL CHECK (url ~ '^[a-zA-Z0-9]{1,63}$'),
  title text,
  leading_text text,
  description text,
  announcement text,
  seller_message text,
  terms_of_service text,
  privacy_policy text,
  copyright text,
  theme_id uuid NOT NULL,
  theme_name text,
  theme_properties jsonb NOT NULL DEFAULT '{}',
  accent_color text,
  background_color text,
  card_background_color text,
  navigation_color text,
  button_color text,
  hide_view_count boolean NOT NULL DEFAULT false,
  hide_statistics boolean NOT NULL DEFAULT false,
  is_forcing_dark_mode boolean NOT NULL DEFAULT false,
  preferred_currency text NOT NULL DEFAULT 'USD' CHECK (preferred_currency ~ '^[A-Z]{3}$'),
  social_id uuid NOT NULL,
  social_media_accounts jsonb NOT NULL DEFAULT '{}',
  featured_product_id uuid,
  is_verified boolean NOT NULL DEFAULT false,
  logo_name text,
  -- Sealed; the one before it signs too until its time is over.
  webhook_secret bytea NOT NULL,
  previous_webhook_secret bytea,
  previous_webhook_secret_until timestamptz,
  products_sold_override integer,
  reviews_override integer,
  resolved_tickets_override integer,
  views_override integer,
  resolved_tickets integer NOT NULL DEFAULT 0,
  prepend_product_name_to_receipt boolean NOT NULL DEFAULT false,
  are_items_mailed boolean NOT NULL DEFAULT true,
  is_test_method_on boolean NOT NULL DEFAULT false,
  last_custom_domain_update timestamptz,
  -- Raised by every change of the catalogue that the public may see.
  revision bigint NOT NULL DEFAULT 0,
  closed_at timestamptz
);
CREATE UNIQUE INDEX stores_url ON stores (lower(url));
CREATE INDEX stores_owner ON stores (owner_id, date_created);

CREATE TABLE store_members (
  store_id uuid NOT NULL,
  user_id uuid NOT NULL,
  scopes text[] NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (store_id, user_id)
);
CREATE INDEX store_members_user ON store_members (user_id);

-- From an id alone to the store that owns it: public addresses name no store.
CREATE TABLE directory (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('product', 'group', 'order')),
  store_id uuid NOT NULL
);

CREATE TABLE faq_entries (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  question text NOT NULL,
  answer text NOT NULL,
  PRIMARY KEY (store_id, id)
);

-- A claim blocks nobody: only a proven one is unique.
CREATE TABLE custom_domains (
  store_id uuid NOT NULL PRIMARY KEY,
  domain text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'active', 'misconfigured')),
  proof text NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz,
  active_since timestamptz
);
CREATE UNIQUE INDEX custom_domains_active ON custom_domains (domain) WHERE status = 'active';
CREATE INDEX custom_domains_domain ON custom_domains (domain);

CREATE TABLE store_visits (
  store_id uuid NOT NULL,
  day date NOT NULL,
  id uuid NOT NULL,
  visits integer NOT NULL DEFAULT 0,
  PRIMARY KEY (store_id, day)
);

-- Who came today, as a hash that changes daily: enough to count a visitor once, useless for anything else.
CREATE TABLE store_visitors (
  store_id uuid NOT NULL,
  day date NOT NULL,
  visitor bytea NOT NULL,
  PRIMARY KEY (store_id, day, visitor)
);
CREATE INDEX store_visitors_day ON store_visitors (day);

CREATE TABLE products (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL CHECK (length(name) BETWEEN 3 AND 64),
  description text,
  -- A million in a currency of four decimals.
  cost_minor bigint NOT NULL CHECK (cost_minor BETWEEN 0 AND 10000000000),
  visibility smallint NOT NULL CHECK (visibility BETWEEN 0 AND 3),
  type smallint NOT NULL DEFAULT 0 CHECK (type IN (0, 1)),
  tags text[] NOT NULL DEFAULT '{}',
  webhook_url text,
  is_pinned boolean NOT NULL DEFAULT false,
  is_dynamic boolean NOT NULL DEFAULT false,
  ignore_out_of_stock boolean NOT NULL DEFAULT false,
  should_block_virtual_private_networks boolean NOT NULL DEFAULT false,
  is_best_seller boolean NOT NULL DEFAULT false,
  -- A dynamic product delivers its own items when the webhook's last try has failed.
  fallback_to_items boolean NOT NULL DEFAULT false,
  image_names text[] NOT NULL DEFAULT '{}',
  custom_value_keys text[] NOT NULL DEFAULT '{}',
  delivery_message text,
  minimum_quantity integer NOT NULL DEFAULT 1 CHECK (minimum_quantity BETWEEN 1 AND 100000),
  maximum_quantity integer NOT NULL DEFAULT -1 CHECK (maximum_quantity BETWEEN -1 AND 100000),
  position integer NOT NULL DEFAULT 0,
  blacklisted_payment_gateways text[] NOT NULL DEFAULT '{}',
  -- Payment method to percentage, kept as the text that is shown.
  additional_fees jsonb NOT NULL DEFAULT '{}',
  metadata text,
  subscription_period text,
  -- True from the first appended item until the items are cleared: then a product with a file is sold out with them.
  has_items boolean NOT NULL DEFAULT false,
  likes integer NOT NULL DEFAULT 0,
  rating_sum integer NOT NULL DEFAULT 0,
  rating_count integer NOT NULL DEFAULT 0,
  deleted_at timestamptz,
  -- Whether the store featured it when it was deleted, and shall again when it is brought back.
  was_featured boolean NOT NULL DEFAULT false,
  PRIMARY KEY (store_id, id)
);
CREATE INDEX products_order ON products (store_id, position, id) WHERE deleted_at IS NULL;

-- Counters of a product, spread over slots so that buyers of one product do not wait for each other; their sum is exact.
CREATE TABLE product_counts (
  store_id uuid NOT NULL,
  product_id uuid NOT NULL,
  slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 15),
  available bigint NOT NULL DEFAULT 0,
  sold bigint NOT NULL DEFAULT 0,
  -- Items before this position are cleared. The same in every slot, so that whoever holds one slot knows it.
  first_position bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (store_id, product_id, slot)
);

-- Deliverable items, one row each. The text is sealed; its keyed hash finds equal ones.
-- No index serves the store alone: a planner that knows nothing of a new store yet would take it for one of few items,
-- and read them all for each.
CREATE TABLE items (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  product_id uuid NOT NULL,
  position bigint NOT NULL,
  sealed bytea NOT NULL,
  value_hash bigint NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  order_id uuid,
  taken_at timestamptz,
  -- Another item took its place in the order; it is never sold again.
  replaced_at timestamptz,
  PRIMARY KEY (id, store_id)
);
CREATE INDEX items_available ON items (store_id, product_id, position) WHERE order_id IS NULL;
-- The hash is over the store and the product too: it finds nothing of another.
CREATE INDEX items_value ON items (value_hash);
CREATE INDEX items_order ON items (store_id, order_id) WHERE order_id IS NOT NULL;

-- Where a product's items begin and end. Appending, removing and clearing take turns on this row; buyers never wait for
-- it. Clearing moves the beginning to the end, which undoing it moves back, however many items lie between.
CREATE TABLE item_positions (
  store_id uuid NOT NULL,
  product_id uuid NOT NULL,
  next_position bigint NOT NULL DEFAULT 0,
  first_position bigint NOT NULL DEFAULT 0,
  -- Where the items began before they were last cleared; they can be brought back for 30 days.
  cleared_from bigint,
  cleared_at timestamptz,
  PRIMARY KEY (store_id, product_id)
);

CREATE TABLE product_files (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  product_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  friendly_name text NOT NULL,
  storage_key text NOT NULL,
  bytes bigint NOT NULL,
  sha256 bytea NOT NULL,
  PRIMARY KEY (store_id, id)
);
CREATE UNIQUE INDEX product_files_product ON product_files (store_id, product_id);

CREATE TABLE product_groups (
  store_id uuid NOT NULL,
  id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL,
  position integer NOT NULL DEFAULT 0,
  PRIMARY KEY (store_id, id)
);

CREATE TABLE product_group_members (
  store_id uuid NOT NULL,
  group_id uuid NOT NULL,
  product_id uuid NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (store_id, group_id, product_id)
);
CREATE INDEX product_group_members_product ON product_group_members (store_id, product_id);

-- Stored bytes that no row names: not yet, while an upload touches its line again and again, or not any more. Whatever is
-- left untouched is removed, so that a crash at any moment leaves nothing behind.
CREATE TABLE doomed_blobs (
  storage_key text PRIMARY KEY,
  date_created timestamptz NOT NULL DEFAULT now(),
  touched_at timestamptz NOT NULL DEFAULT now(),
  is_being_removed boolean NOT NULL DEFAULT false
);
CREATE INDEX doomed_blobs_touched ON doomed_blobs (touched_at);
