#pragma once

#include "muslin/collision/detect/contact.h"

namespace muslin {

/// A contact of which it is known on which side its features belong [Volino95 4.3]: the normal
/// points from the second feature to the first as they should be.
template <class ContactType>
struct Oriented {
    ContactType contact;
    /// The two have passed through each other: they are drawn back, without friction.
    bool wrong = false;
};
using OrientedContact = Oriented<Contact>;

} // namespace muslin
