-- What left an address on a chain of accounts, where an address holds an amount and no single payments.
CREATE TABLE crypto_moves (
  method text NOT NULL,
  txid text NOT NULL,
  position integer NOT NULL,
  target text NOT NULL,
  -- With the fee, where that is paid from the same amount.
  units text NOT NULL CHECK (units ~ '^[0-9]+$'),
  -- What such a move may cost: a rest that is less cannot be moved.
  fee_units text NOT NULL CHECK (fee_units ~ '^[0-9]+$'),
  height integer NOT NULL,
  PRIMARY KEY (method, txid, position)
);
CREATE INDEX crypto_moves_target ON crypto_moves (method, target);
CREATE INDEX crypto_moves_height ON crypto_moves (method, height);

-- What an address held before it was an order's, once that was asked.
ALTER TABLE crypto_addresses ADD COLUMN prior_units text;

-- The order was told of it, the chain lost it, and that is noted; and how often so far.
ALTER TABLE crypto_sightings ADD COLUMN is_lost boolean NOT NULL DEFAULT false, ADD COLUMN losses integer NOT NULL DEFAULT 0;
