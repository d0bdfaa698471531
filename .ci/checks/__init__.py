"""The operator's half of the product, seen from outside by clients that are not ours."""
