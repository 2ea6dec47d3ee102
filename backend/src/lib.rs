//! Turnwise: the service.
