// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/key_links.h"

#include <QPushButton>

namespace idemdesk::ui {

/// Opens pages of other programs about a row, in the desktop's browser. Hidden where there is none. Where each leads
/// stands in its tooltip.
class LinkButton final : public QPushButton
{
    Q_OBJECT

public:
    explicit LinkButton(const QString &objectName, QWidget *parent);
    void setLinks(const QList<models::RowLink> &links);
};

} // namespace idemdesk::ui
