// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>

namespace idemdesk::models {
class KeyBrowserController;
class KeyDetailController;
} // namespace idemdesk::models

namespace idemdesk::ui {

/// What belongs to a key: its effects, each with whether it proves that the request took effect, and the ways to rows
/// that share its scope, owner, fingerprint or result.
class RelatedView final : public QTreeWidget
{
    Q_OBJECT

public:
    RelatedView(models::KeyBrowserController *browser, models::KeyDetailController *detail, QWidget *parent = nullptr);
    void sync();

signals:
    void filterWanted(const QString &text);

private:
    void addEffects();
    void addLinks();
    QTreeWidgetItem *addSection(const QString &title);

    models::KeyBrowserController *m_browser;
    models::KeyDetailController *m_detail;
};

} // namespace idemdesk::ui
