-- A chain belongs to nobody's store: what is looked up by what the chain shows is kept for the whole instance, with the
-- store and order it leads to. Amounts are whole numbers of the coin's smallest unit, too large for a bigint, as text.

-- The last good price of a coin.
CREATE TABLE crypto_rates (
  coin text NOT NULL,
  currency text NOT NULL,
  rate double precision NOT NULL CHECK (rate > 0 AND rate < 'Infinity'),
  fetched_at timestamptz NOT NULL,
  PRIMARY KEY (coin, currency)
);

-- How many addresses were derived from a seller's key, by a fingerprint of it: two stores may share a key.
CREATE TABLE crypto_wallets (
  method text NOT NULL,
  fingerprint text NOT NULL,
  next_index integer NOT NULL,
  PRIMARY KEY (method, fingerprint)
);

-- The address that is an order's own.
CREATE TABLE crypto_addresses (
  method text NOT NULL,
  -- The address as the chain shows it: a script, or the address in lower case.
  target text NOT NULL,
  address text NOT NULL,
  store_id uuid NOT NULL,
  order_id uuid NOT NULL,
  fingerprint text NOT NULL,
  derivation_index integer NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  -- When to ask for it again, where a chain is asked address by address. Null: no more.
  look_at timestamptz DEFAULT now(),
  PRIMARY KEY (method, target)
);
CREATE UNIQUE INDEX crypto_addresses_order ON crypto_addresses (store_id, order_id, method);
CREATE INDEX crypto_addresses_made ON crypto_addresses (method, date_created);
CREATE INDEX crypto_addresses_look ON crypto_addresses (method, look_at) WHERE look_at IS NOT NULL;

-- What an order must receive: a price that is good until it expires. The next one has the next number.
CREATE TABLE crypto_dues (
  store_id uuid NOT NULL,
  order_id uuid NOT NULL,
  method text NOT NULL,
  number integer NOT NULL,
  date_created timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  due_minor bigint NOT NULL CHECK (due_minor > 0),
  currency text NOT NULL,
  rate double precision NOT NULL,
  amount_units text NOT NULL CHECK (amount_units ~ '^[1-9][0-9]*$'),
  confirmations integer NOT NULL CHECK (confirmations > 0),
  PRIMARY KEY (store_id, order_id, method, number)
);

-- Payments that were seen on a chain. A row stays, whatever the chain forgets.
CREATE TABLE crypto_sightings (
  method text NOT NULL,
  txid text NOT NULL,
  -- Of the output, or of the log entry.
  position integer NOT NULL,
  target text NOT NULL,
  store_id uuid NOT NULL,
  order_id uuid NOT NULL,
  units text NOT NULL CHECK (units ~ '^[1-9][0-9]*$'),
  -- Null while no block has it.
  height integer,
  -- When the money moved, as far as the chain or our first sight of it says.
  paid_at timestamptz NOT NULL DEFAULT now(),
  -- Neither in a block nor waiting for one: replaced, dropped, or reorganised away.
  gone_at timestamptz,
  -- The price that it is counted by, and what the order was told of it.
  due_number integer,
  told_minor bigint,
  -- The order knows all that is to be known of it for now.
  is_settled boolean NOT NULL DEFAULT false,
  -- Moved on by the seller.
  spent_at timestamptz,
  PRIMARY KEY (method, txid, position)
);
CREATE INDEX crypto_sightings_target ON crypto_sightings (method, target);
CREATE INDEX crypto_sightings_open ON crypto_sightings (method) WHERE NOT is_settled;
CREATE INDEX crypto_sightings_height ON crypto_sightings (method, height) WHERE gone_at IS NULL;
CREATE INDEX crypto_sightings_store ON crypto_sightings (store_id, method);

-- How far a chain was read, in the words of whoever reads it.
CREATE TABLE crypto_cursors (
  method text NOT NULL,
  -- Grows with every reading: what was read from an older one is not written down.
  version integer NOT NULL,
  tip integer NOT NULL,
  cursor jsonb NOT NULL,
  read_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (method)
);
