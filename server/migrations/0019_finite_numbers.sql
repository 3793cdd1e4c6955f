-- A float without an upper end takes NaN, which no lower end refuses.
ALTER TABLE orders ADD CHECK (coupon_percentage >= 0 AND coupon_percentage <= 100);
ALTER TABLE order_lines ADD CHECK (fee_percentage >= 0 AND fee_percentage <= 100);
ALTER TABLE crypto_dues ADD CHECK (rate > 0 AND rate < 'Infinity');
